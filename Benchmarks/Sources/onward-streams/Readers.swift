// SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix

/// Many open event streams, read by one thread.
final class Readers {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let arrivals: Arrivals

    /// Opens the streams and returns when each has brought the page.
    init(_ count: Int, port: Int) throws {
        arrivals = Arrivals(readers: count)
        let bootstrap = ClientBootstrap(group: group).channelInitializer { [arrivals] channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(StreamReader(arrivals))
            }
        }
        let request = ByteBuffer(string: "GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
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

    /// Waits until each reader has the last of the commits.
    func wait(for commits: [StampedCommit]) throws {
        try arrivals.wait(for: commits.last?.version ?? 0)
    }

    /// The time from each commit until the last reader had it, in milliseconds.
    func delays(of commits: [StampedCommit]) -> [Double] {
        let last = arrivals.last
        return commits.map { Double((last[$0.version] ?? .max) - $0.nanoseconds) / 1e6 }
    }

    /// Closes the streams.
    func close() throws { try group.syncShutdownGracefully() }
}

/// Reads one stream for the ids of its events: `id: EPOCH-VERSION`.
private final class StreamReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let arrivals: Arrivals
    private var unread = ByteBuffer()
    private var version: Int?

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
        if line.hasPrefix("HTTP/1.1 "), !line.hasPrefix("HTTP/1.1 200") {
            arrivals.fail("A stream was answered with \"\(line)\".")
        }
        guard line.hasPrefix("id: "), let number = line.split(separator: "-").last,
            let next = Int(number)
        else { return }
        // A reader that skips a commit has it with the next one.
        arrivals.note(versions: (version ?? next - 1) + 1...next)
        version = next
    }
}
