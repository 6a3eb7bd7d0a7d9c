// SPDX-License-Identifier: MIT

package import OnwardJournal

/// The entries that have begun durable work whose end isn't in the log yet: part of what a log is folded into.
///
/// An owner takes no more of them than ``ClusterLimits/waiting``.
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

    var value: DataValue { .list(entries.map(Self.value)) }

    init?(_ value: DataValue) {
        for item in value.list ?? [] {
            guard let entry = Self.entry(item) else { return nil }
            entries.append(entry)
        }
    }

    private static func value(of entry: JournalEntry) -> DataValue {
        [
            "version": DataValue(entry.version), "id": .text(entry.id.description),
            "epoch": DataValue(entry.epoch), "action": ActionDraft(entry).value,
        ]
    }

    private static func entry(_ value: DataValue) -> JournalEntry? {
        guard let version = value["version"]?.integer(as: UInt64.self),
            let id = value["id"]?.text.flatMap({ EntryID($0) }),
            let epoch = value["epoch"]?.integer(as: UInt64.self),
            let action = value["action"].flatMap({ ActionDraft($0) })
        else { return nil }
        return JournalEntry(
            version: version, id: id, epoch: epoch, name: action.name, schema: action.schema,
            payload: action.payload, address: action.address, origin: action.origin)
    }
}
