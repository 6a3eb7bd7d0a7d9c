// SPDX-License-Identifier: MIT

internal import Onward

/// How much of its log a persistent store keeps; entries are discarded once a snapshot covers them.
public enum Retention: Sendable, Hashable {
    /// Everything.
    case all
    /// At least this many of the newest entries.
    case newest(Int)
    /// The entries of this much time up to now, by the store's wall clock, which dates them.
    case recent(Duration)
    /// Only what no snapshot covers.
    case compacted
}

/// A journal that discards whatever no longer has to be kept each time it gets a snapshot.
struct RetainingJournal: Journal {
    let base: any Journal
    /// Makes a snapshot of what the entries lead to, if a store's state is more than that.
    let fold: (@Sendable (Version) async throws(JournalError) -> JournalSnapshot)?
    let retention: Retention
    /// The store's clock, which dates its entries.
    let wallClock: @Sendable () -> Timestamp

    func lastPosition() async throws(JournalError) -> JournalPosition {
        try await base.lastPosition()
    }

    func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) async throws(JournalError) {
        try await base.append(entries, after: expected)
    }

    func entries(from version: Version, limit: Int) async throws(JournalError) -> [JournalEntry] {
        try await base.entries(from: version, limit: limit)
    }

    func wait(after version: Version) async throws(JournalError) {
        try await base.wait(after: version)
    }

    func snapshot(at version: Version) async throws(JournalError) -> JournalSnapshot? {
        try await base.snapshot(at: version)
    }

    func store(_ snapshot: JournalSnapshot) async throws(JournalError) {
        try await base.store(fold?(snapshot.version) ?? snapshot)
        let last = try await base.lastVersion()
        let limit: Version
        switch retention {
        case .all: return
        case .newest(let count): limit = last - min(last, Version(max(count, 0)))
        case .recent(let age): limit = try await newest(olderThan: age, upTo: last)
        case .compacted: limit = last
        }
        guard let base = try await base.snapshot(at: limit), base.version > 0 else { return }
        try await truncate(before: base.version + 1)
    }

    /// The newest version that was recorded longer ago than an age; 0 if there is none.
    private func newest(olderThan age: Duration, upTo last: Version) async throws(JournalError)
        -> Version
    {
        let limit = wallClock() - age
        var low = try await base.firstVersion() - 1
        var high = max(last, low)
        while low < high {
            let middle = low + (high - low + 1) / 2
            let entry = try await base.entries(from: middle, limit: 1).first
            if let time = entry?.time, time < limit { low = middle } else { high = middle - 1 }
        }
        return low
    }

    func truncate(before version: Version) async throws(JournalError) {
        try await base.truncate(before: version)
    }

    func erase(
        _ entries: [JournalEntry], _ snapshots: [JournalSnapshot]
    ) async throws(JournalError) {
        try await base.erase(entries, snapshots)
    }

    func close() async { await base.close() }
}
