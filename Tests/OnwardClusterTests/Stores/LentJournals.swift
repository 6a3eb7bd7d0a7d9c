// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal

@testable import TestSupport

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
struct LentJournal: ForwardingJournal {
    let base: MemoryJournal
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
    func entries(from version: CommitVersion, limit: Int) throws(JournalError) -> [JournalEntry] {
        try reach()
        return try base.entries(from: version, limit: limit)
    }
    func snapshot(at version: CommitVersion) throws(JournalError) -> JournalSnapshot? {
        try reach()
        return try base.snapshot(at: version)
    }
    func close() {}
}
