// SPDX-License-Identifier: MIT

import ArgumentParser
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOPosix
import Processes

/// The process of a server that has its answers ready: what no page can be faster than.
struct ServeBare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)

    /// What answers.
    enum Kind: String, ExpressibleByArgument {
        /// Routes of the web framework under the server.
        case hummingbird
        /// A handler behind the codec of HTTP.
        case nio
    }

    @Argument var kind: Kind
    @Option(help: "The size of the page, in bytes.") var size = 1_000

    func run() async throws {
        Orders.obey()
        let page = ByteBuffer(repeating: UInt8(ascii: "x"), count: size)
        switch kind {
        case .hummingbird: try await serveRoutes(page)
        case .nio: try await serveBytes(page)
        }
    }

    private func serveRoutes(_ page: ByteBuffer) async throws {
        let router = Router()
        router.get("/") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
                body: .init(byteBuffer: page))
        }
        router.post("/") { request, _ in
            _ = try await request.body.collect(upTo: 65_536)
            return Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: Self.dispatched))
        }
        try await router.serve()
    }

    private func serveBytes(_ page: ByteBuffer) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1_024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
                    try channel.pipeline.syncOperations.addHandler(BareAnswers(page))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        Orders.answer("listening \(server.localAddress?.port ?? 0)")
        try await server.closeFuture.get()
    }

    fileprivate static let dispatched = ByteBuffer(string: #"{"result":"dispatched"}"#)
}

/// Answers a GET with a page, and anything else as a post.
private final class BareAnswers: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let page: ByteBuffer
    private var method = HTTPMethod.GET

    init(_ page: ByteBuffer) { self.page = page }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): method = head.method
        case .body: break
        case .end:
            let body = method == .GET ? page : ServeBare.dispatched
            let head = HTTPResponseHead(
                version: .http1_1, status: .ok, headers: ["content-length": "\(body.readableBytes)"]
            )
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
