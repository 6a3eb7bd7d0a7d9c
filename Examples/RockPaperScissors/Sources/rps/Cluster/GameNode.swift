// SPDX-License-Identifier: MIT
#if Cluster

import ArgumentParser
import Onward
import OnwardCluster
import OnwardPostgres
import OnwardServer
import RPSPage
import RockPaperScissorsCore

/// One server of several that serve the same game: players may come to any of them.
struct GameNode {
    private let id: NodeID
    private let host: String
    private let port: Int
    private let database: String
    private let transport: HTTPTransport

    /// - Parameters:
    ///   - address: Where the others reach it, as `host:port`.
    ///   - database: How to connect with the database that keeps the game.
    ///   - secret: What the servers know one another by.
    /// - Throws: What is wrong with the address.
    init(_ address: String, database: String, secret: String) throws {
        guard let colon = address.lastIndex(of: ":"), colon > address.startIndex,
            let port = UInt16(address[address.index(after: colon)...]), port > 0
        else {
            throw ValidationError("\"\(address)\" is no address: --node takes host:port.")
        }
        id = NodeID(address)
        host = String(address[..<colon])
        self.port = Int(port)
        self.database = database
        transport = HTTPTransport(secret: secret)
    }

    /// Serves until it is interrupted; then another server decides what comes next.
    func run(_ options: ServerOptions) async throws {
        var settings = PostgresOptions()
        // The servers send one another what is new.
        settings.notifies = false
        let database = try await PostgresDatabase(database, options: settings)
        let node = ClusterNode(
            id, table: PostgresNodeTable(in: database), transport: transport)
        let game = ClusteredStore(
            of: Game(), named: "game", in: try await PostgresJournal(of: "game", in: database),
            on: node
        ) {
            rockPaperScissors
        }
        let server = try PageServer.rockPaperScissors(hosting: .cluster(game), options: options)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await node.run() }
            group.addTask { try await transport.serve(node, host: host, port: port) }
            group.addTask {
                try await server.run()
                await node.leave()
            }
            try await group.next()
            group.cancelAll()
        }
        await database.close()
    }
}
#endif
