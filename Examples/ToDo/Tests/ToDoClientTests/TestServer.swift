// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOPosix
import Synchronization

@testable import ToDoClient

/// A server on loopback that gives the same answer to everything.
struct TestServer: Sendable {
    struct Answer: Sendable {
        let status: Int
        let body: String
        let headers: [String: String]

        init(_ status: Int, _ body: String, _ headers: [String: String] = [:]) {
            (self.status, self.body, self.headers) = (status, body, headers)
        }
    }

    struct Received: Sendable {
        let line: String
        let type: String?
        let body: String
    }

    let client: HTTPTaskServer
    private let log: Log

    /// What was asked for, in order.
    var requests: [Received] { log.requests.withLock { $0 } }

    private final class Log: Sendable {
        let requests = Mutex<[Received]>([])
    }

    /// Serves for the time of `body`.
    static func serve<Result: Sendable>(
        _ answer: Answer, _ body: @Sendable (TestServer) async throws -> Result
    ) async throws -> Result {
        let log = Log()
        let responder = CallbackResponder { (request: Request, _: BasicRequestContext) in
            let body = try await request.body.collect(upTo: 1_000_000)
            log.requests.withLock {
                $0.append(
                    Received(
                        line: "\(request.method) \(request.uri)",
                        type: request.headers[.contentType], body: String(buffer: body)))
            }
            var headers: HTTPFields = [:]
            for (name, value) in answer.headers {
                if let name = HTTPField.Name(name) { headers[name] = value }
            }
            return Response(
                status: .init(code: answer.status), headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
        }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let application = Application(
            responder: responder, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            logger: logger)
        return try await application.test(.live) { client in
            let address = ServerAddress("http://127.0.0.1:\(client.port ?? 0)")
            guard let address else { throw NoAddress() }
            return try await body(TestServer(client: HTTPTaskServer(at: address), log: log))
        }
    }

    /// A port of this machine at which nobody listens.
    static func closedPort() async throws -> Int {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 1
        try await channel.close()
        return port
    }

    /// Accepts connections, sends some bytes as soon as something is asked, and closes.
    static func sendRaw<Result: Sendable>(
        _ bytes: String, _ body: @Sendable (ServerAddress) async throws -> Result
    ) async throws -> Result {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RawAnswer(bytes))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let result: Swift.Result<Result, any Error>
        do {
            let address = ServerAddress("http://127.0.0.1:\(channel.localAddress?.port ?? 1)")
            guard let address else { throw NoAddress() }
            result = .success(try await body(address))
        } catch {
            result = .failure(error)
        }
        try await channel.close()
        return try result.get()
    }

    private struct NoAddress: Error {}
}

private final class RawAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let bytes: String

    init(_ bytes: String) { self.bytes = bytes }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: bytes)), promise: nil)
        context.close(promise: nil)
    }
}
