// SPDX-License-Identifier: MIT
#if Cluster

import NIOCore
import NIOPosix

/// Leads each connection to one of several servers: to one after the other, and past those that don't answer.
///
/// It looks at nothing that is sent, so no visitor belongs to a server: the next connection goes to the next one.
struct Balancer {
    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private let listener: NIOAsyncChannel<Connection, Never>
    private let servers: [Int]

    /// Listens at a port, for servers at others; all at 127.0.0.1.
    ///
    /// - Throws: `IOError` where the port is in use.
    init(at port: Int, for servers: [Int]) async throws {
        self.servers = servers
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(host: "127.0.0.1", port: port) { Self.connection($0) }
    }

    /// Serves until the task is cancelled.
    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            try await listener.executeThenClose { clients in
                var turn = 0
                for try await client in clients {
                    let order = servers[turn...] + servers[..<turn]
                    // A connection that breaks is the affair of its two ends.
                    group.addTask { try? await serve(client, by: order) }
                    turn = (turn + 1) % servers.count
                }
            }
        }
    }

    private func serve(_ client: Connection, by order: ArraySlice<Int>) async throws {
        try await client.executeThenClose { fromClient, toClient in
            guard let server = await connect(to: order) else { return }
            try await server.executeThenClose { fromServer, toServer in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await pass(fromClient, to: toServer) }
                    group.addTask { try await pass(fromServer, to: toClient) }
                    try await group.waitForAll()
                }
            }
        }
    }

    /// Passes everything on, and that it has ended.
    private func pass(
        _ bytes: NIOAsyncChannelInboundStream<ByteBuffer>,
        to writer: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws {
        for try await some in bytes { try await writer.write(some) }
        writer.finish()
    }

    /// Connects with the first server that answers.
    private func connect(to order: ArraySlice<Int>) async -> Connection? {
        for server in order {
            let connection = try? await ClientBootstrap(
                group: MultiThreadedEventLoopGroup.singleton
            )
            .connectTimeout(.seconds(1))
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: server) { Self.connection($0) }
            if let connection { return connection }
        }
        return nil
    }

    @Sendable
    private static func connection(_ channel: any Channel) -> EventLoopFuture<Connection> {
        channel.eventLoop.makeCompletedFuture {
            try Connection(
                wrappingChannelSynchronously: channel,
                configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }
}
#endif
