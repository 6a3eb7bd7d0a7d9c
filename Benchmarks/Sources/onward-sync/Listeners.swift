// SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1
import NIOPosix
import OnwardJournal
import Processes
import Synchronization

/// Many clients at one server, by one thread, which count what comes.
final class Listeners: Sendable {
    /// What they ask for.
    enum Kind {
        /// A stream of events.
        case events
        /// What is new in a synced store, again and again; each begins with a message.
        case messages(hellos: [[UInt8]])
    }

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let arrivals = Mutex((count: 0, last: 0))
    private let count: Int

    init(_ kind: Kind, count: Int, port: Int) throws {
        self.count = count
        // A hundred at a time: a server's queue of new connections is short.
        for batch in stride(from: 0, to: count, by: 100) {
            let connections = (batch..<min(batch + 100, count)).map { number in
                ClientBootstrap(group: group).channelInitializer { [self] channel in
                    channel.pipeline.addHTTPClientHandlers().flatMapThrowing {
                        let hello: [UInt8]? =
                            if case .messages(let hellos) = kind { hellos[number] } else { nil }
                        try channel.pipeline.syncOperations.addHandler(Listener(hello, self.note))
                    }
                }.connect(host: "127.0.0.1", port: port)
            }
            try EventLoopFuture.andAllSucceed(connections.map { $0.map { _ in } }, on: group.next())
                .wait()
        }
        try waitUntilQuiet()
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

    private struct Request: Encodable {
        var token: String?
        var connection: String?
        var message: [UInt8]?
    }
    private struct Answer: Decodable { var connection: String? }

    private let hello: [UInt8]?
    private let note: @Sendable () -> Void
    private var connection: String?
    private var asksForMore = ByteBuffer()
    private var hasGreeted = false
    private var body = ByteBuffer()

    init(_ hello: [UInt8]?, _ note: @escaping @Sendable () -> Void) {
        (self.hello, self.note) = (hello, note)
    }

    func channelActive(context: ChannelHandlerContext) {
        if hello != nil { return post(bytes(Request(token: "")), context) }
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/events", headers: ["host": "127.0.0.1"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            body.clear()
            if head.status != .ok { fatalError("The server answered with \(head.status).") }
        case .body(var part):
            if hello == nil { note() } else { body.writeBuffer(&part) }
        case .end: answered(context)
        }
    }

    private func answered(_ context: ChannelHandlerContext) {
        guard let hello else { return }
        if connection == nil {
            let limits = DataLimits(bytes: 4_096)
            let answer = try? DataFormat.json.value(
                of: Array(body.readableBytesView), limits: limits
            )
            .decoded(as: Answer.self)
            connection = answer?.connection
            asksForMore = bytes(Request(connection: connection))
            return post(bytes(Request(connection: connection, message: hello)), context)
        }
        // Shorter ones are answers without a message.
        if hasGreeted, body.readableBytes > 80 { note() }
        hasGreeted = true
        post(asksForMore, context)
    }

    private func bytes(_ request: Request) -> ByteBuffer {
        let value = (try? DataValue(encoding: request)).map { DataFormat.json.bytes(of: $0) }
        return ByteBuffer(bytes: value ?? [])
    }

    private func post(_ content: ByteBuffer, _ context: ChannelHandlerContext) {
        let head = HTTPRequestHead(
            version: .http1_1, method: .POST, uri: "/sync/messages",
            headers: [
                "host": "127.0.0.1", "content-type": "application/json",
                "content-length": "\(content.readableBytes)",
            ])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(content))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
