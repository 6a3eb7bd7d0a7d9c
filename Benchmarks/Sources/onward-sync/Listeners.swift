// SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1
import NIOPosix
import Processes
import Synchronization

/// Many clients at one server, by one thread, which count what comes.
final class Listeners: Sendable {
    /// What they ask for.
    enum Kind {
        /// A stream of events.
        case events
        /// The messages of a synced store, as a stream; each begins with a message of its own.
        case messages(hellos: [[UInt8]])
    }

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let arrivals = Mutex((count: 0, last: 0))
    private let count: Int

    init(_ kind: Kind, count: Int, port: Int) throws {
        self.count = count
        let greeter: (any Channel)? =
            if case .messages = kind { try greeter(port: port) } else { nil }
        // A hundred at a time: a server's queue of new connections is short.
        for batch in stride(from: 0, to: count, by: 100) {
            let connections = (batch..<min(batch + 100, count)).map { number in
                ClientBootstrap(group: group).channelInitializer { [self] channel in
                    channel.pipeline.addHTTPClientHandlers().flatMapThrowing {
                        let hello: [UInt8]? =
                            if case .messages(let hellos) = kind { hellos[number] } else { nil }
                        let listener = Listener(hello, to: greeter, self.note)
                        try channel.pipeline.syncOperations.addHandler(listener)
                    }
                }.connect(host: "127.0.0.1", port: port)
            }
            try EventLoopFuture.andAllSucceed(connections.map { $0.map { _ in } }, on: group.next())
                .wait()
        }
        try waitUntilQuiet()
        try greeter?.close().wait()
    }

    /// A connection that carries what all of them say first.
    private func greeter(port: Int) throws -> any Channel {
        try ClientBootstrap(group: group).channelInitializer { channel in
            channel.pipeline.addHTTPClientHandlers()
        }.connect(host: "127.0.0.1", port: port).wait()
    }

    @Sendable private func note() {
        let now = Machine.now
        arrivals.withLock { $0 = ($0.count + 1, now) }
    }

    /// Waits until each has something, and nothing more comes.
    private func waitUntilQuiet() throws {
        for _ in 0..<600 {
            let before = arrivals.withLock { $0.count }
            Machine.sleep(milliseconds: 100)
            let now = arrivals.withLock { $0.count }
            if now >= count, now == before { return }
        }
        throw Failure("The clients didn't get what there is within a minute.")
    }

    /// Has something committed, and waits until all have it; the time from one to the other in milliseconds.
    func delay(of commit: () throws -> StampedCommit) throws -> Double {
        let wanted = arrivals.withLock { $0.count } + count
        let start = try commit().nanoseconds
        for _ in 0..<100_000 {
            let (count, last) = arrivals.withLock { $0 }
            if count >= wanted { return Double(last - start) / 1e6 }
            Machine.sleep(microseconds: 200)
        }
        throw Failure("A client didn't get an action within 20 s.")
    }

    func close() throws { try group.syncShutdownGracefully() }
}

/// One of them.
private final class Listener: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let hello: [UInt8]?
    private let greeter: (any Channel)?
    private let note: @Sendable () -> Void
    private var hasGreeted = false
    /// What has come of a message that isn't complete.
    private var unread = ByteBuffer()

    init(_ hello: [UInt8]?, to greeter: (any Channel)?, _ note: @escaping @Sendable () -> Void) {
        (self.hello, self.greeter, self.note) = (hello, greeter, note)
    }

    func channelActive(context: ChannelHandlerContext) {
        if hello != nil { return context.channel.post([], to: "stream") }
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/events", headers: ["host": "127.0.0.1"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if head.status != .ok { fatalError("The server answered with \(head.status).") }
        case .body(let part):
            if hello == nil { note() } else { read(part) }
        case .end: fatalError("The server has ended a stream.")
        }
    }

    /// Counts the messages, each of which comes after its length.
    private func read(_ part: ByteBuffer) {
        var part = part
        if unread.readableBytes > 0 {
            unread.writeBuffer(&part)
            swap(&part, &unread)
        }
        while let length = part.getInteger(at: part.readerIndex, as: UInt32.self),
            let message = part.readSlice(length: 4 + Int(length))
        {
            if length == 0 { continue }
            if hasGreeted { note() } else { greet(as: message.readableBytesView.dropFirst(4)) }
        }
        unread = part
    }

    /// The first message names the connection.
    private func greet(as id: some Sequence<UInt8>) {
        hasGreeted = true
        greeter?.post(Array(id) + (hello ?? []), to: "message")
    }
}

extension Channel {
    /// Sends a request to a synced store, without waiting for the answer.
    fileprivate func post(_ content: [UInt8], to path: String) {
        let head = HTTPRequestHead(
            version: .http1_1, method: .POST, uri: "/sync/\(path)",
            headers: [
                "host": "127.0.0.1", "content-type": "application/octet-stream",
                "content-length": "\(content.count)",
            ])
        write(HTTPClientRequestPart.head(head), promise: nil)
        write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: content))), promise: nil)
        writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }
}
