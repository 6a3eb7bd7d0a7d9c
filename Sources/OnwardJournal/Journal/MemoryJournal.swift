// SPDX-License-Identifier: MIT

public import Onward

/// A journal in memory: for tests, previews and apps that only need time travel.
///
/// Its contents last as long as the process.
public final class MemoryJournal: Journal {
    private let contents = Guarded(Contents())
    private let end = JournalEnd()

    /// Creates an empty journal.
    public init() {}

    /// Returns where the journal ends: ``JournalPosition/start`` if nothing was ever appended.
    ///
    /// - Complexity: O(1).
    public func lastPosition() throws(JournalError) -> JournalPosition {
        try perform("lastPosition()") { $0.lastPosition }
    }

    /// Appends entries after the last one.
    ///
    /// - Complexity: O(entries).
    public func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) throws(JournalError) {
        let last = try attempt("append(_:after:)") { contents throws(JournalError) in
            try contents.append(entries, after: expected)
            return contents.lastPosition.version
        }
        end.note(last)
    }

    /// Returns the entries from a version on, in order.
    ///
    /// - Complexity: O(entries returned).
    public func entries(from version: CommitVersion, limit: Int) throws(JournalError)
        -> [JournalEntry]
    {
        try attempt("entries(from:limit:)") { contents throws(JournalError) in
            try contents.entries(from: version, limit: limit)
        }
    }

    /// Returns once there is an entry after a version or the journal is closed.
    public func wait(after version: CommitVersion) async throws(JournalError) {
        try await end.wait(after: version)
    }

    /// Returns the newest snapshot at or before a version, or nil if there is none.
    ///
    /// - Complexity: O(snapshots).
    public func snapshot(at version: CommitVersion) throws(JournalError) -> JournalSnapshot? {
        try perform("snapshot(at:)") { contents in
            contents.snapshots.last { $0.version <= version }
        }
    }

    /// Stores a snapshot, replacing one of the same version.
    ///
    /// - Complexity: O(snapshots).
    public func store(_ snapshot: JournalSnapshot) throws(JournalError) {
        try attempt("store(_:)") { contents throws(JournalError) in
            try contents.store(snapshot)
        }
    }

    /// Discards the entries before a version, and snapshots that were only needed for these.
    ///
    /// - Complexity: O(entries that stay).
    public func truncate(before version: CommitVersion) throws(JournalError) {
        try attempt("truncate(before:)") { contents throws(JournalError) in
            try contents.truncate(before: version)
        }
    }

    /// Stores a snapshot of the state after an entry, if the journal has that entry.
    ///
    /// - Complexity: O(snapshots).
    public func store(
        _ snapshot: JournalSnapshot, at position: JournalPosition
    ) throws(JournalError) {
        try attempt("store(_:at:)") { contents throws(JournalError) in
            try contents.check(position)
            try contents.store(snapshot)
        }
    }

    /// Discards the entries before a version, if the journal has an entry that the caller knows.
    ///
    /// - Complexity: O(entries that stay).
    public func truncate(
        before version: CommitVersion, at position: JournalPosition
    ) throws(JournalError) {
        try attempt("truncate(before:at:)") { contents throws(JournalError) in
            try contents.check(position)
            try contents.truncate(before: version)
        }
    }

    /// Removes the contents of entries, and drops the snapshots that include them.
    ///
    /// - Complexity: O(entries erased + snapshots).
    public func erase(
        _ entries: [JournalEntry], _ snapshots: [JournalSnapshot]
    ) throws(JournalError) {
        try attempt("erase(_:_:)") { contents throws(JournalError) in
            try contents.erase(entries, snapshots)
        }
    }

    /// Closes the journal: its followers end, and later calls throw.
    public func close() { end.close() }

    private func perform<Value>(
        _ call: String, _ body: (inout Contents) -> Value
    ) throws(JournalError) -> Value {
        try attempt(call) { contents throws(JournalError) in body(&contents) }
    }

    /// Runs `body` on the contents, unless the journal is closed.
    private func attempt<Value>(
        _ call: String, _ body: (inout Contents) throws(JournalError) -> Value
    ) throws(JournalError) -> Value {
        if end.isClosed { throw .closed(call) }
        let outcome = contents.withValue { contents in
            Result { () throws(JournalError) in try body(&contents) }
        }
        return try outcome.get()
    }
}

/// The contents of a journal in memory: a pure machine.
private struct Contents {
    private(set) var entries: [JournalEntry] = []
    /// In the order of their versions.
    private(set) var snapshots: [JournalSnapshot] = []
    /// The version of the first entry that is kept.
    private var first: CommitVersion = 1
    private(set) var lastPosition = JournalPosition.start

    private var lastVersion: CommitVersion { lastPosition.version }

    mutating func append(
        _ new: [JournalEntry], after expected: JournalPosition
    ) throws(JournalError) {
        guard expected == lastPosition else {
            throw .conflict(expected: expected, true: lastPosition)
        }
        for (offset, entry) in new.enumerated() {
            let wanted = expected.version + 1 + CommitVersion(offset)
            guard entry.version == wanted else {
                throw .misnumbered(entry, at: offset, instead: wanted)
            }
        }
        entries += new
        lastPosition = new.last?.position ?? lastPosition
    }

    func entries(from version: CommitVersion, limit: Int) throws(JournalError) -> [JournalEntry] {
        guard version >= first else { throw .truncated(version, first: first) }
        guard version <= lastVersion else { return [] }
        return Array(entries[Int(version - first)...].prefix(max(limit, 0)))
    }

    /// Throws unless the journal has the entry at a position.
    func check(_ position: JournalPosition) throws(JournalError) {
        guard position != .start, position != lastPosition else { return }
        let isKept = position.version >= first && position.version <= lastVersion
        let found = isKept ? entries[Int(position.version - first)].position : nil
        guard found == position else {
            throw .conflict(expected: position, true: found ?? lastPosition)
        }
    }

    mutating func store(_ snapshot: JournalSnapshot) throws(JournalError) {
        guard snapshot.version <= lastVersion else {
            throw .snapshotAhead(snapshot.version, of: lastVersion)
        }
        snapshots.removeAll { $0.version == snapshot.version }
        let index = snapshots.firstIndex { $0.version > snapshot.version } ?? snapshots.endIndex
        snapshots.insert(snapshot, at: index)
    }

    mutating func truncate(before version: CommitVersion) throws(JournalError) {
        guard version > first else { return }
        guard version <= lastVersion + 1, let newest = snapshots.last, newest.version + 1 >= version
        else { throw .uncovered(version) }
        entries.removeFirst(Int(version - first))
        first = version
        snapshots.removeAll { $0.version + 1 < version }
    }

    mutating func erase(
        _ erased: [JournalEntry], _ anew: [JournalSnapshot]
    ) throws(JournalError) {
        let start = erased.map(\.version).min() ?? .max
        for entry in erased {
            guard entry.version >= first, entry.version <= lastVersion else {
                throw .notErasable(entry, "the journal doesn't keep it")
            }
            try entry.checkErases(entries[Int(entry.version - first)])
        }
        let replaced = Set(anew.map(\.version))
        let kept = snapshots.filter { $0.version < start || replaced.contains($0.version) }
        if first > 1, !kept.contains(where: { $0.version + 1 >= first }) {
            throw .lastBase(snapshots.last?.version ?? first - 1)
        }
        for entry in erased { entries[Int(entry.version - first)] = entry }
        snapshots = kept.map { old in anew.first { $0.version == old.version } ?? old }
    }
}
