// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal

/// Journals in memory that several nodes have at once, and that a test takes away.
final class LentJournals: Sendable {
    private let journals = Guarded<[String: MemoryJournal]>([:])
    let areAway = Guarded(false)

    /// The names of those that there are.
    var names: [String] { journals.withValue { $0.keys.sorted() } }

    func lend(_ name: String) -> LentJournal {
        let journal = journals.withValue { journals in
            let journal = journals[name] ?? MemoryJournal()
            journals[name] = journal
            return journal
        }
        return LentJournal(base: journal, isAway: areAway)
    }
}

/// A journal of which each node has its own object: when that is closed, others go on.
struct LentJournal: Journal {
    fileprivate let base: MemoryJournal
    fileprivate let isAway: Guarded<Bool>

    private func reach() throws(JournalError) {
        if isAway.withValue({ $0 }) { throw JournalError(.storage, "The database is away.") }
    }

    func lastPosition() throws(JournalError) -> JournalPosition {
        try reach()
        return try base.lastPosition()
    }
    func append(_ entries: [JournalEntry], after expected: JournalPosition) throws(JournalError) {
        try reach()
        try base.append(entries, after: expected)
    }
    func entries(from version: Version, limit: Int) throws(JournalError) -> [JournalEntry] {
        try reach()
        return try base.entries(from: version, limit: limit)
    }
    func wait(after version: Version) async throws(JournalError) {
        try await base.wait(after: version)
    }
    func snapshot(at version: Version) throws(JournalError) -> JournalSnapshot? {
        try reach()
        return try base.snapshot(at: version)
    }
    func store(_ snapshot: JournalSnapshot) throws(JournalError) { try base.store(snapshot) }
    func truncate(before version: Version) throws(JournalError) {
        try base.truncate(before: version)
    }
    func erase(
        _ entries: [JournalEntry], _ snapshots: [JournalSnapshot]
    ) throws(JournalError) {
        try base.erase(entries, snapshots)
    }
    func close() {}
}
