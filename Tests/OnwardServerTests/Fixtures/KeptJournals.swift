// SPDX-License-Identifier: MIT
#if Server

import Onward
import OnwardJournal
import OnwardServer

@testable import TestSupport

/// Journals that outlive the servers of a test, and fail when a test wants it.
final class KeptJournals: Journals {
    private struct Contents {
        var journals: [String: MemoryJournal] = [:]
        var inUse: Set<String> = []
        var damaged: Set<String> = []
        var removed: [Duration] = []
    }

    private let contents = Guarded(Contents())
    /// Whether nothing more fits in.
    let isFull = Guarded(false)

    /// The names of those that there are.
    var names: [String] { contents.withValue { $0.journals.keys.sorted() } }
    /// The ages that unused ones were to be removed at.
    var removed: [Duration] { contents.withValue { $0.removed } }

    /// What a journal has.
    func log(of name: String) throws -> [JournalEntry] {
        let journal = contents.withValue { $0.journals[name] }
        return try journal?.entries(from: 1, limit: .max) ?? []
    }

    /// Has a journal fail when it is opened, or no longer.
    func setDamaged(_ name: String, _ isDamaged: Bool) {
        contents.withValue { contents in
            if isDamaged { contents.damaged.insert(name) } else { contents.damaged.remove(name) }
        }
    }

    func journal(named name: String) async throws(JournalError) -> any Journal {
        let journal: Result<MemoryJournal, JournalError> = contents.withValue { contents in
            if contents.damaged.contains(name) {
                return .failure(JournalError(.damaged, version: 1, "A page of it is gone."))
            }
            guard contents.inUse.insert(name).inserted else {
                return .failure(JournalError(.locked, "\(name) is in use."))
            }
            let journal = contents.journals[name] ?? MemoryJournal()
            contents.journals[name] = journal
            return .success(journal)
        }
        return KeptJournal(base: try journal.get(), isFull: isFull) { [contents] in
            contents.withValue { _ = $0.inUse.remove(name) }
        }
    }

    func contains(_ name: String) async throws(JournalError) -> Bool {
        contents.withValue { $0.journals[name] != nil }
    }

    func remove(_ name: String) async throws(JournalError) {
        contents.withValue { $0.journals[name] = nil }
    }

    func removeUnused(for age: Duration) async throws(JournalError) {
        contents.withValue { $0.removed.append(age) }
    }
}

/// A journal that goes on when it is closed.
private struct KeptJournal: ForwardingJournal {
    let base: MemoryJournal
    let isFull: Guarded<Bool>
    let onClose: @Sendable () -> Void

    private func check() throws(JournalError) {
        if isFull.withValue({ $0 }) { throw JournalError(.full, "There is no room left.") }
    }

    func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) throws(JournalError) {
        try check()
        try base.append(entries, after: expected)
    }
    func store(_ snapshot: JournalSnapshot) throws(JournalError) {
        try check()
        try base.store(snapshot)
    }
    func close() { onClose() }
}
#endif
