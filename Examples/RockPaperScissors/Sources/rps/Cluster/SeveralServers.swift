// SPDX-License-Identifier: MIT
#if Cluster

import ArgumentParser
import Foundation

/// What makes the game one that several servers serve.
struct SeveralServers: ParsableArguments {
    @Option(
        help: """
            Starts so many servers and a PostgreSQL server of their own, behind a balancer at --port. To see what \
            happens, end one of them with kill -9.
            """)
    var cluster: Int?

    @Option(
        name: .customLong("node"),
        help: """
            Where the other servers of one game reach this one, as host:port. They know one another by what the \
            environment variable \(SeveralServers.secret) says, which is the same for all of them.
            """)
    var address: String?

    @Option(help: "With --node: the PostgreSQL database that keeps the game, as psql takes it.")
    var database: String?

    static let secret = "RPS_CLUSTER_SECRET"

    /// One server of several, if that is what is wanted.
    func node() throws -> GameNode? {
        guard let address else {
            guard database == nil else { throw ValidationError("--database needs --node.") }
            return nil
        }
        guard let database else { throw ValidationError("--node needs --database.") }
        guard let secret = ProcessInfo.processInfo.environment[Self.secret], secret.utf8.count >= 16
        else {
            throw ValidationError(
                "--node needs at least sixteen characters that nobody can guess in \(Self.secret).")
        }
        return try GameNode(address, database: database, secret: secret)
    }

    func validate() throws {
        guard let cluster else { return }
        guard 1...9 ~= cluster else { throw ValidationError("--cluster takes 1 to 9 servers.") }
        guard address == nil else {
            throw ValidationError("--cluster starts its own nodes: leave --node out.")
        }
    }
}
#endif
