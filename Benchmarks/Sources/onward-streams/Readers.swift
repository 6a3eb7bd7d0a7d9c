// SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import Processes

/// Many open event streams, read by one thread.
final class Readers {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let arrivals: Arrivals

    /// Opens the streams and returns when each has brought the page.
    ///
    /// They speak HTTP/1.0, to which a server answers in no chunks: what comes is the events.
    init(_ count: Int, port: Int) throws {
        arrivals = Arrivals(readers: count)
        let bootstrap = ClientBootstrap(group: group).channelInitializer { [arrivals] channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(StreamReader(arrivals))
            }
        }
        let request = ByteBuffer(string: "GET /events HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
        // A hundred at a time: a server's queue of new connections is short.
        for batch in stride(from: 0, to: count, by: 100) {
            let connections = (batch..<min(batch + 100, count)).map { _ in
                bootstrap.connect(host: "127.0.0.1", port: port).flatMap { channel in
                    channel.writeAndFlush(request)
                }
            }
            try EventLoopFuture.andAllSucceed(connections, on: group.next()).wait()
        }
        try arrivals.waitUntilOpen()
    }

    /// The version that all of them have, once no more commits come.
    var version: Int { arrivals.times.keys.max() ?? 0 }

    /// The size of the newest event, in bytes.
    var eventSize: Int { arrivals.eventSize }

    /// Waits until each reader has a version.
    func wait(for version: Int) throws { try arrivals.wait(for: version) }

    /// The time from each commit until the last reader had it, in milliseconds.
    func lastDelays(of commits: [StampedCommit]) -> [Double] {
        let times = arrivals.times
        return commits.map {
            Double((times[$0.version]?.last ?? .max) - $0.nanoseconds) / 1e6
        }
    }

    /// The time from each commit until each reader had it, in milliseconds.
    func delays(of commits: [StampedCommit]) -> [Double] {
        let times = arrivals.times
        return commits.flatMap { commit in
            (times[commit.version] ?? []).map { Double($0 - commit.nanoseconds) / 1e6 }
        }
    }

    /// Closes the streams.
    func close() throws { try group.syncShutdownGracefully() }
}

/// Reads one stream for its events: their sizes, and their ids, `id: EPOCH-VERSION`.
private final class StreamReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let arrivals: Arrivals
    private var unread = ByteBuffer()
    private var version: Int?
    /// The version and the size of the event that is being read.
    private var next: Int?
    private var eventSize = 0

    init(_ arrivals: Arrivals) { self.arrivals = arrivals }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        unread.writeBuffer(&bytes)
        while let end = unread.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            let length = end - unread.readerIndex
            read(unread.readString(length: length) ?? "")
            unread.moveReaderIndex(forwardBy: 1)
        }
        unread.discardReadBytes()
    }

    func channelInactive(context: ChannelHandlerContext) {
        arrivals.fail("A stream ended.")
    }

    private func read(_ line: String) {
        if line.hasPrefix("HTTP/1."), line.split(separator: " ").dropFirst().first != "200" {
            arrivals.fail("A stream was answered with \"\(line)\".")
        }
        eventSize += line.utf8.count + 1
        if line.hasPrefix("id: ") { next = line.split(separator: "-").last.flatMap { Int($0) } }
        guard line.isEmpty || line == "\r" else { return }
        if let next {
            arrivals.note(eventSize: eventSize)
            // A reader that skips a commit has it with the next one.
            arrivals.note(versions: (version ?? next - 1) + 1...next)
            version = next
        }
        (next, eventSize) = (nil, 0)
    }
}
