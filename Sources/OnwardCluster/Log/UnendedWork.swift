// SPDX-License-Identifier: MIT

package import OnwardJournal

/// The entries whose durable work has begun but not ended, according to the log.
///
/// While there are ``ClusterLimits/waiting`` of them, an owner accepts no request that begins more.
package struct UnendedWork: Sendable, Hashable {
    /// In the order in which the work began.
    package private(set) var entries: [JournalEntry] = []

    package init() {}

    package var count: Int { entries.count }

    package func contains(_ id: EntryID) -> Bool { entries.contains { $0.id == id } }

    mutating func begin(_ entry: JournalEntry) { entries.append(entry) }

    mutating func end(_ ids: [EntryID]) {
        guard !ids.isEmpty else { return }
        entries.removeAll { ids.contains($0.id) }
    }

    // MARK: Snapshots

    var value: DataValue { .list(entries.map(\.value)) }

    init?(_ value: DataValue) {
        for item in value.list ?? [] {
            guard let entry = JournalEntry(item) else { return nil }
            entries.append(entry)
        }
    }
}
