// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOPosix
import Synchronization

@testable import TunesService

/// A server on loopback that answers as a test wants it.
struct TestServer: Sendable {
    let port: Int
    private let log: Log

    /// The paths that were asked for, with their queries, in order.
    var requests: [String] { log.requests.withLock { $0 } }

    var root: String { "http://127.0.0.1:\(port)" }

    func address(_ path: String = "") throws -> WebAddress {
        guard let address = WebAddress(root + path) else { throw FetchError.refused }
        return address
    }

    private final class Log: Sendable {
        let requests = Mutex<[String]>([])
    }

    /// Serves for the time of `body`.
    static func serve<Result: Sendable>(
        _ answer: @escaping @Sendable (Request) async throws -> Response,
        _ body: @Sendable (TestServer) async throws -> Result
    ) async throws -> Result {
        let log = Log()
        let router = Router()
        router.get("**") { request, _ in
            log.requests.withLock { $0.append(request.uri.string) }
            return try await answer(request)
        }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            logger: logger)
        return try await application.test(.live) { client in
            guard let port = client.port else { throw FetchError.unreachable }
            return try await body(TestServer(port: port, log: log))
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
        _ bytes: String, _ body: @Sendable (Int) async throws -> Result
    ) async throws -> Result {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RawAnswer(bytes))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(channel.localAddress?.port ?? 1)) } catch {
            result = .failure(error)
        }
        try await channel.close()
        return try result.get()
    }
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

extension Response {
    static func text(_ text: String, type: String = "application/json") -> Response {
        bytes(Array(text.utf8), type: type)
    }

    static func bytes(_ bytes: [UInt8], type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    static func redirect(_ link: String) -> Response {
        Response(status: .found, headers: [.location: link])
    }
}
