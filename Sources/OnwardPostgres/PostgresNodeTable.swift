// SPDX-License-Identifier: MIT
#if All

internal import Onward
public import OnwardCluster
internal import OnwardJournal

/// A table where the nodes of a cluster announce themselves, next to the journals of their stores.
///
/// ```swift
/// let database = try await PostgresDatabase("host=a,b dbname=shop user=shop")
/// let node = ClusterNode(id, table: PostgresNodeTable(in: database), transport: transport)
/// ```
///
/// A node that has been silent for a day is forgotten.
public struct PostgresNodeTable: NodeTable {
    private let database: PostgresDatabase

    /// Uses the table of a database, which all nodes of the cluster share.
    public init(in database: PostgresDatabase) {
        self.database = database
    }

    /// Notes what a node announces about itself, and reads what all nodes announced last.
    ///
    /// - Throws: As the calls of ``PostgresJournal``.
    public func announce(
        _ announcement: NodeAnnouncement
    ) async throws -> [NodeAnnouncement] {
        let bytes = DataFormat.cbor.bytes(of: try DataValue(encoding: announcement))
        let all = try await database.perform("announce(_:)") {
            [tables = database.tables, name = announcement.node.name] db throws(PostgresFailure) in
            try tables.announce(name, bytes, db)
        }
        // An announcement in a later program's format means nothing to this one.
        return all.compactMap {
            try? DataFormat.cbor.value(of: $0).decoded(as: NodeAnnouncement.self)
        }
    }
}
#endif
