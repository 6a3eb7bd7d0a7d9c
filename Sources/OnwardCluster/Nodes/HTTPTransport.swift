// SPDX-License-Identifier: MIT
#if Server

internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Delivers messages between nodes over HTTP, with a secret that all nodes know.
///
/// ```swift
/// let transport = HTTPTransport(secret: secret)
/// let node = ClusterNode(NodeID("10.0.0.7:9000"), table: table, transport: transport)
/// async let serving: Void = transport.serve(node, host: "10.0.0.7", port: 9_000)
/// async let running: Void = node.run()
/// ```
///
/// A node's id is its address, so nothing but the table of nodes has to be known of others.
/// Messages are not encrypted: use a network that only the nodes can access.
public struct HTTPTransport: ClusterTransport {
    static let path = "/onward/cluster"

    private let secret: String
    private let limit: Duration
    private let address: @Sendable (NodeID) -> (host: String, port: Int)?

    /// Creates a transport that uses each node's id as its address, in the form `host:port`.
    ///
    /// - Parameters:
    ///   - secret: The secret that authenticates nodes: at least sixteen characters that nobody can
    ///     guess.
    ///   - limit: How long delivering a message may take.
    public init(secret: String, within limit: Duration = .seconds(2)) {
        self.init(secret: secret, within: limit) { Self.address(in: $0.name) }
    }

    /// Creates a transport that uses a closure to find addresses; nil for an unreachable node.
    ///
    /// - Parameters:
    ///   - secret: The secret that authenticates nodes: at least sixteen characters that nobody can
    ///     guess.
    ///   - limit: How long delivering a message may take.
    ///   - address: Returns the address of a node.
    public init(
        secret: String, within limit: Duration = .seconds(2),
        address: @escaping @Sendable (NodeID) -> (host: String, port: Int)?
    ) {
        precondition(
            secret.utf8.count >= 16,
            """
            The secret of a cluster has \(secret.utf8.count) bytes. Whoever guesses it can propose anything to \
            its stores. To fix this, use at least sixteen, such as a random number of 128 bits in hexadecimal.
            """)
        self.secret = secret
        self.limit = limit
        self.address = address
    }

    static func address(in name: String) -> (host: String, port: Int)? {
        guard let colon = name.lastIndex(of: ":"),
            let port = Int(name[name.index(after: colon)...]),
            1...65_535 ~= port, colon > name.startIndex
        else { return nil }
        return (String(name[..<colon]), port)
    }

    // MARK: Sending

    /// Delivers a message to another node, within the limit or not at all.
    public func send(_ message: [UInt8], to node: NodeID) async {
        guard let (host, port) = address(node) else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await post(message, to: host, port) }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    private func post(_ message: [UInt8], to host: String, _ port: Int) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.init(limit))
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            let headers = HTTPHeaders([
                ("host", host), ("connection", "close"), ("authorization", "Bearer \(secret)"),
                ("content-length", "\(message.count)"),
            ])
            let head = HTTPRequestHead(
                version: .http1_1, method: .POST, uri: Self.path, headers: headers)
            try await outbound.write(.head(head))
            try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: message))))
            try await outbound.write(.end(nil))
            for try await part in inbound {
                if case .end = part { break }
            }
        }
    }

    // MARK: Receiving

    /// Passes what other nodes send to a node, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - node: This program's node.
    ///   - host: The address to listen on.
    ///   - port: The port; 0 for any free one.
    ///   - onReady: Called with the port once nodes can connect.
    /// - Throws: Errors of listening, such as a port that is in use.
    public func serve(
        _ node: ClusterNode, host: String = "127.0.0.1", port: Int,
        onReady: @escaping @Sendable (_ port: Int) -> Void = { _ in }
    ) async throws {
        let router = Router()
        router.post(RouterPath(Self.path)) { [self] request, _ -> HTTPResponse.Status in
            guard let said = request.headers[.authorization], isRight(said) else {
                return .unauthorized
            }
            let body = try await request.body.collect(upTo: Self.longest)
            await node.receive(Array(body.readableBytesView))
            return .noContent
        }
        let server = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { channel in onReady(channel.localAddress?.port ?? port) },
            // It logs each start, and each connection that ends with it.
            logger: Logger(label: "onward.cluster") { _ in SwiftLogNoOpLogHandler() })
        try await server.run()
    }

    /// The maximum number of bytes in a message; what waits for a node is bounded, and has to fit.
    private static let longest = 64 << 20

    /// Takes the same time wherever the first wrong character is.
    private func isRight(_ said: String) -> Bool {
        let (right, said) = (Array("Bearer \(secret)".utf8), Array(said.utf8))
        guard right.count == said.count else { return false }
        return zip(right, said).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
#endif
