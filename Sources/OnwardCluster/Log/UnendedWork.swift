// SPDX-License-Identifier: MIT

package import OnwardJournal

/// The entries that have begun durable work whose end isn't in the log yet: part of what a log is folded into.
///
/// An owner takes no request that begins some while there are ``ClusterLimits/waiting`` of them.
package struct UnendedWork: Sendable, Hashable {
    /// In the order in which they began.
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
