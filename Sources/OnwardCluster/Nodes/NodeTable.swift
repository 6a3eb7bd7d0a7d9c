// SPDX-License-Identifier: MIT

internal import Onward

/// Where nodes announce themselves, and read what the others said: a table that all of them reach.
///
/// It need not be right: a node that is taken for dead loses its stores to others and goes on as their reader.
public protocol NodeTable: Sendable {
    /// Notes what a node says of itself, in place of what it said before.
    ///
    /// - Returns: What every node said last, this one included.
    func announce(_ announcement: NodeAnnouncement) async throws -> [NodeAnnouncement]
}

/// A table of nodes in memory: for tests, and for nodes within one process.
public final class MemoryNodeTable: NodeTable {
    private let announcements = Guarded<[NodeID: NodeAnnouncement]>([:])

    /// An empty table.
    public init() {}

    /// Notes what a node says of itself.
    public func announce(_ announcement: NodeAnnouncement) -> [NodeAnnouncement] {
        announcements.withValue { announcements in
            announcements[announcement.node] = announcement
            return Array(announcements.values)
        }
    }
}
