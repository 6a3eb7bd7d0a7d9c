// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal

/// The journals of all stores, in a database with a primary and a synchronous standby.
///
/// An entry can be read as soon as the primary has it, and is acknowledged when the standby has it. A failover
/// loses what the standby doesn't have; the old primary, which nobody has fenced off, is still there for those
/// who are connected to it, and never acknowledges anything again.
struct SimulatedJournal {
    /// One store's journal.
    struct Log {
        /// All entries, those that can't be read any more included.
        var entries: [JournalEntry] = []
        /// So many of them are on the standby.
        var safe = 0
        /// The first entry that can be read.
        var first: CommitVersion = 1
        var snapshots: [JournalSnapshot] = []
        /// The entries of the old primary; nil where there is none.
        var old: [JournalEntry]?

        var last: JournalPosition { entries.last?.position ?? .start }
    }

    var logs: [Log]
    /// Counts failovers.
    private(set) var generation = 0
    private(set) var announcements: [NodeAnnouncement] = []

    init(stores: Int) {
        logs = Array(repeating: Log(), count: stores)
    }

    /// What reading gives; nil where entries are truncated.
    func entries(of store: Int, from version: CommitVersion, limit: Int, generation: Int)
        -> [JournalEntry]?
    {
        let log = logs[store]
        guard version >= log.first else { return nil }
        let entries = generation == self.generation ? log.entries : log.old ?? log.entries
        guard version <= entries.count else { return [] }
        return Array(entries[(Int(version) - 1)...].prefix(limit))
    }

    func snapshot(of store: Int) -> JournalSnapshot? { logs[store].snapshots.last }

    /// Appends to the primary, or to the old one.
    ///
    /// - Returns: How many entries the standby must have for it to be acknowledged; nil where it is refused.
    mutating func append(
        _ new: [JournalEntry], to store: Int, after expected: JournalPosition, generation: Int
    ) -> Int? {
        if generation != self.generation, let old = logs[store].old {
            guard (old.last?.position ?? .start) == expected else { return nil }
            logs[store].old = old + new
            return .max
        }
        guard logs[store].last == expected else { return nil }
        logs[store].entries += new
        return logs[store].entries.count
    }

    /// The standby gets entries of the present primary.
    mutating func replicate(_ store: Int, count: Int) {
        logs[store].safe = max(logs[store].safe, count)
    }

    mutating func keep(
        _ snapshot: JournalSnapshot, of store: Int, at position: JournalPosition, truncates: Bool
    ) {
        let index = Int(position.version) - 1
        guard logs[store].entries.indices.contains(index),
            logs[store].entries[index].id == position.id
        else { return }
        logs[store].snapshots.removeAll { $0.version == snapshot.version }
        logs[store].snapshots.append(snapshot)
        logs[store].snapshots.sort { $0.version < $1.version }
        if truncates { logs[store].first = max(logs[store].first, snapshot.version) }
    }

    /// The standby takes the primary's place.
    mutating func failOver() {
        generation += 1
        for index in logs.indices {
            logs[index].old = logs[index].entries
            logs[index].entries.removeSubrange(logs[index].safe...)
        }
    }

    mutating func announce(_ announcement: NodeAnnouncement) {
        if let index = announcements.firstIndex(where: { $0.node == announcement.node }) {
            announcements[index] = announcement
        } else {
            announcements.append(announcement)
        }
    }
}
