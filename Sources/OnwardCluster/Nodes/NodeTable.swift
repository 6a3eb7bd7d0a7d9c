// SPDX-License-Identifier: MIT

internal import Onward

/// Where nodes announce themselves and read each other's announcements: a table all can reach.
///
/// It need not be correct: a node wrongly considered dead loses its stores to others and continues
/// as a reader.
public protocol NodeTable: Sendable {
    /// Stores a node's announcement, replacing its previous one.
    ///
    /// - Returns: The last announcement of every node, including this one.
    func announce(_ announcement: NodeAnnouncement) async throws -> [NodeAnnouncement]
}

/// An in-memory table of nodes: for tests, and for nodes within one process.
public final class MemoryNodeTable: NodeTable {
    private let announcements = Guarded<[NodeID: NodeAnnouncement]>([:])

    /// Creates an empty table.
    public init() {}

    /// Stores a node's announcement.
    public func announce(_ announcement: NodeAnnouncement) -> [NodeAnnouncement] {
        announcements.withValue { announcements in
            announcements[announcement.node] = announcement
            return Array(announcements.values)
        }
    }
}
