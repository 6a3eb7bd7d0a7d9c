// SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import Processes
import Synchronization

/// What is asked of a server, over and over.
enum Request: Sendable {
    case page
    /// An action, each time with a request id of its own.
    case post

    private static let ids = Mutex(0)

    /// The bytes of the next one.
    func next() -> ByteBuffer {
        switch self {
        case .page: return ByteBuffer(string: "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        case .post:
            let id = Self.ids.withLock { id -> Int in
                id += 1
                return id
            }
            return Self.post(#""CountAction/tick","request":"request-\#(1_000_000_000 + id)""#)
        }
    }

    /// A post of the fields that follow the name "type".
    static func post(_ fields: String) -> ByteBuffer {
        let body = #"{"type":\#(fields)}"#
        return ByteBuffer(
            string: """
                POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\
                Content-Length: \(body.utf8.count)\r\n\r\n\(body)
                """)
    }
}

/// Connections that ask, each again as soon as it has its answer, by one thread.
final class Load {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let answers = Answers()

    /// Opens so many connections, which begin to ask.
    init(_ request: Request, connections: Int, port: Int) throws {
        let bootstrap = ClientBootstrap(group: group).channelInitializer { [answers] channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(
                    Asker(answers) { request.next() })
            }
        }
        for _ in 0..<connections { _ = try bootstrap.connect(host: "127.0.0.1", port: port).wait() }
    }

    /// How many answers come in a second, and the size of one's content.
    func measure(milliseconds: Int) throws -> (perSecond: Double, size: Int) {
        // What the first requests make a server allocate isn't those that follow.
        Machine.sleep(milliseconds: milliseconds / 4)
        let (begin, first) = (Machine.now, answers.count)
        Machine.sleep(milliseconds: milliseconds)
        let (end, last) = (Machine.now, answers.count)
        if let failure = answers.failure { throw Failure(failure) }
        guard last > first else { throw Failure("The server doesn't answer.") }
        return (Double(last - first) / (Double(end - begin) / 1e9), answers.size)
    }

    /// Closes the connections.
    func close() throws {
        answers.end()
        try group.syncShutdownGracefully()
    }
}

/// One connection that sends when it is asked to.
final class Poster {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let answers = Answers()
    private let channel: any Channel

    init(port: Int) throws {
        channel = try ClientBootstrap(group: group).channelInitializer { [answers] channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(Asker(answers, next: nil))
            }
        }.connect(host: "127.0.0.1", port: port).wait()
    }

    /// Sends one, and waits for the answer.
    ///
    /// - Returns: When it was sent and when it was answered, on ``Machine/now``.
    func send(_ request: ByteBuffer) throws -> (sent: Int, answered: Int) {
        let count = answers.count
        let sent = Machine.now
        channel.writeAndFlush(request, promise: nil)
        for _ in 0..<50_000 where answers.count == count {
            if let failure = answers.failure { throw Failure(failure) }
            Machine.sleep(microseconds: 100)
        }
        guard answers.count > count else { throw Failure("A post wasn't answered within 5 s.") }
        return (sent, answers.time)
    }

    func close() throws {
        answers.end()
        try group.syncShutdownGracefully()
    }
}

/// What has come back.
private final class Answers: Sendable {
    private struct State {
        var count = 0
        var size = 0
        var time = 0
        var failure: String?
        var isOver = false
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }
    /// The size of the content of the last one, in bytes.
    var size: Int { state.withLock { $0.size } }
    /// When the last one came.
    var time: Int { state.withLock { $0.time } }
    var failure: String? { state.withLock { $0.failure } }

    func note(size: Int) {
        let now = Machine.now
        state.withLock { state in
            state.count += 1
            (state.size, state.time) = (size, now)
        }
    }

    func fail(_ reason: String) {
        state.withLock { if !$0.isOver { $0.failure = $0.failure ?? reason } }
    }

    /// What is broken off from now on is no failure.
    func end() { state.withLock { $0.isOver = true } }
}

/// One connection: reads an answer, and may then ask again.
private final class Asker: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answers: Answers
    private let next: (() -> ByteBuffer)?
    private var unread = ByteBuffer()
    /// The length of an answer's head and of its content; the same for all, which is checked.
    private var length: (head: Int, content: Int)?

    init(_ answers: Answers, next: (() -> ByteBuffer)?) {
        self.answers = answers
        self.next = next
    }

    func channelActive(context: ChannelHandlerContext) { ask(context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        unread.writeBuffer(&bytes)
        length = length ?? lengthOfFirst()
        guard let length, unread.readableBytes >= length.head + length.content else { return }
        guard unread.readableBytes == length.head + length.content,
            unread.readableBytesView.starts(with: "HTTP/1.1 200".utf8)
        else { return answers.fail("An answer is another than the ones before.") }
        unread.clear()
        answers.note(size: length.content)
        ask(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        answers.fail("The server closed a connection.")
    }

    private func ask(_ context: ChannelHandlerContext) {
        guard let next else { return }
        context.writeAndFlush(wrapOutboundOut(next()), promise: nil)
    }

    private func lengthOfFirst() -> (head: Int, content: Int)? {
        let text = String(buffer: unread)
        guard let end = text.utf8.firstRange(of: "\r\n\r\n".utf8) else { return nil }
        let head = text[..<end.upperBound]
        guard let field = head.lowercased().firstMatch(of: /content-length: (\d+)/),
            let content = Int(field.1)
        else {
            answers.fail("An answer doesn't say its length.")
            return nil
        }
        return (head.utf8.count, content)
    }
}
