// SPDX-License-Identifier: MIT

internal import Onward

/// How much of its log a persistent store keeps; entries are discarded once a snapshot covers them.
public enum Retention: Sendable, Hashable {
    /// Everything.
    case all
    /// At least this many of the newest entries.
    case newest(Int)
    /// The entries of this much time up to now, by the store's wall clock, which dates them.
    ///
    /// A clock may be wrong for a while. Something is discarded only if it was found to be old twice,
    /// an hour of running time apart, and if no jump of the clock was noticed in between; jumps are
    /// reported (``JournalError/Code/clock``). An entry counts as old if it, or a later one, has a
    /// believable date that is: one that isn't in the future, and not before that of an earlier
    /// entry. What a program has appended itself is kept until it has been running for that time
    /// since, whatever the wall clock says. So a program that never runs for an hour discards
    /// nothing by time.
    ///
    /// What an earlier launch recorded while its clock was behind looks older than it is, and
    /// nothing shows that.
    case recent(Duration)
    /// Only what no snapshot covers.
    case compacted

    /// The age from which entries are discarded; nil if that doesn't depend on their age.
    var age: Duration? {
        if case .recent(let age) = self { age } else { nil }
    }
}

/// A journal that discards whatever no longer has to be kept each time it gets a snapshot.
struct RetainingJournal: Journal {
    let base: any Journal
    /// Makes a snapshot of what the entries lead to, if a store's state is more than that.
    let fold: (@Sendable (CommitVersion) async throws(JournalError) -> JournalSnapshot)?
    let retention: Retention
    /// What is old, by the store's clock, which dates its entries.
    let ages: EntryAges?

    var durability: Durability { base.durability }

    func lastPosition() async throws(JournalError) -> JournalPosition {
        try await base.lastPosition()
    }

    func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) async throws(JournalError) {
        try await base.append(entries, after: expected)
        ages?.note(entries)
    }

    func entries(from version: CommitVersion, limit: Int) async throws(JournalError)
        -> [JournalEntry]
    {
        try await base.entries(from: version, limit: limit)
    }

    func wait(after version: CommitVersion) async throws(JournalError) {
        try await base.wait(after: version)
    }

    func snapshot(at version: CommitVersion) async throws(JournalError) -> JournalSnapshot? {
        try await base.snapshot(at: version)
    }

    func store(_ snapshot: JournalSnapshot) async throws(JournalError) {
        try await base.store(fold?(snapshot.version) ?? snapshot)
        let last = try await base.lastVersion()
        let limit: CommitVersion
        switch retention {
        case .all: return
        case .newest(let count): limit = last - min(last, CommitVersion(max(count, 0)))
        case .recent: limit = try await ages?.newestOld(in: base) ?? 0
        case .compacted: limit = last
        }
        guard let base = try await base.snapshot(at: limit), base.version > 0 else { return }
        try await truncate(before: base.version + 1)
    }

    func truncate(before version: CommitVersion) async throws(JournalError) {
        try await base.truncate(before: version)
    }

    func erase(
        _ entries: [JournalEntry], _ snapshots: [JournalSnapshot]
    ) async throws(JournalError) {
        try await base.erase(entries, snapshots)
    }

    func stores(anyOf texts: [[UInt8]]) async throws(JournalError) -> Bool {
        try await base.stores(anyOf: texts)
    }

    func close() async { await base.close() }
    func suspend() async { await base.suspend() }
    func resume() async throws(JournalError) { try await base.resume() }
}
