// SPDX-License-Identifier: MIT

public import Onward

/// A journal in memory: for tests, for previews, for apps that only want to travel.
///
/// It is as durable as the process.
public final class MemoryJournal: Journal {
    private let contents = Guarded(Contents())

    /// An empty journal.
    public init() {}

    /// The last version; 0 when nothing was ever appended.
    ///
    /// - Complexity: O(1).
    public func lastVersion() throws(JournalError) -> Version {
        try perform("lastVersion()") { $0.lastVersion }
    }

    /// Adds entries behind the one with an expected version.
    ///
    /// - Complexity: O(entries).
    public func append(_ entries: [JournalEntry], after expected: Version) throws(JournalError) {
        let waiters = try attempt("append(_:after:)") { contents throws(JournalError) in
            try contents.append(entries, after: expected)
            return contents.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Entries from a version on, in order.
    ///
    /// - Complexity: O(entries returned).
    public func entries(from version: Version, limit: Int) throws(JournalError) -> [JournalEntry] {
        try attempt("entries(from:limit:)") { contents throws(JournalError) in
            try contents.entries(from: version, limit: limit)
        }
    }

    /// Returns once there is an entry after a version, or the journal was closed.
    public func wait(after version: Version) async throws(JournalError) {
        let id = try perform("wait(after:)") { $0.nextWaiter() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = contents.withValue { contents in
                    contents.wait(continuation, id: id, after: version)
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            contents.withValue { $0.cancelWaiter(id) }?.resume()
        }
        contents.withValue { $0.forgetWaiter(id) }
        if Task.isCancelled {
            throw JournalError(.closed, "The task that waited for an entry was cancelled.")
        }
        _ = try lastVersion()
    }

    /// The newest snapshot at or before a version; nil where there is none.
    ///
    /// - Complexity: O(snapshots).
    public func snapshot(at version: Version) throws(JournalError) -> JournalSnapshot? {
        try perform("snapshot(at:)") { contents in
            contents.snapshots.last { $0.version <= version }
        }
    }

    /// Keeps a snapshot; one of the same version is replaced.
    ///
    /// - Complexity: O(snapshots).
    public func store(_ snapshot: JournalSnapshot) throws(JournalError) {
        try attempt("store(_:)") { contents throws(JournalError) in
            try contents.store(snapshot)
        }
    }

    /// Forgets entries before a version, and snapshots that only served these.
    ///
    /// - Complexity: O(entries that stay).
    public func truncate(before version: Version) throws(JournalError) {
        try attempt("truncate(before:)") { contents throws(JournalError) in
            try contents.truncate(before: version)
        }
    }

    /// Ends the journal: readers that follow it end, later calls throw.
    public func close() {
        let waiters = contents.withValue { contents in
            contents.isClosed = true
            return contents.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    private func perform<Value>(
        _ call: String, _ body: (inout Contents) -> Value
    ) throws(JournalError) -> Value {
        try attempt(call) { contents throws(JournalError) in body(&contents) }
    }

    /// Runs `body` on the contents, unless the journal was closed.
    private func attempt<Value>(
        _ call: String, _ body: (inout Contents) throws(JournalError) -> Value
    ) throws(JournalError) -> Value {
        let outcome = contents.withValue { contents -> Result<Value, JournalError> in
            if contents.isClosed { return .failure(.closed(call)) }
            return Result { () throws(JournalError) in try body(&contents) }
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
    private var first: Version = 1
    private var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    private var cancelled: Set<UInt64> = []
    private var lastWaiter: UInt64 = 0
    var isClosed = false

    var lastVersion: Version { first + Version(entries.count) - 1 }

    mutating func append(
        _ new: [JournalEntry], after expected: Version
    ) throws(JournalError) {
        guard expected == lastVersion else {
            throw .conflict(expected: expected, true: lastVersion)
        }
        for (offset, entry) in new.enumerated() where entry.version != expected + 1 + UInt64(offset)
        {
            throw JournalError(
                .invalid, version: entry.version,
                """
                Entry \(offset) of those to append has version \(entry.version) instead of \
                \(expected + 1 + UInt64(offset)). Number the entries from the expected version on.
                """)
        }
        entries += new
    }

    func entries(from version: Version, limit: Int) throws(JournalError) -> [JournalEntry] {
        guard version >= first else { throw .truncated(version, first: first) }
        guard version <= lastVersion else { return [] }
        return Array(entries[Int(version - first)...].prefix(max(limit, 0)))
    }

    mutating func store(_ snapshot: JournalSnapshot) throws(JournalError) {
        guard snapshot.version <= lastVersion else {
            throw JournalError(
                .invalid, version: snapshot.version,
                """
                A snapshot of version \(snapshot.version) was to be stored, but the journal's last \
                version is \(lastVersion). Append the entries first.
                """)
        }
        snapshots.removeAll { $0.version == snapshot.version }
        let index = snapshots.firstIndex { $0.version > snapshot.version } ?? snapshots.endIndex
        snapshots.insert(snapshot, at: index)
    }

    mutating func truncate(before version: Version) throws(JournalError) {
        guard version > first else { return }
        guard version <= lastVersion + 1, let newest = snapshots.last, newest.version + 1 >= version
        else {
            throw JournalError(
                .invalid, version: version,
                """
                The entries before version \(version) cannot be forgotten: there is no snapshot of \
                version \(version - 1) or later. Store one first.
                """)
        }
        entries.removeFirst(Int(version - first))
        first = version
        let base = snapshots.lastIndex { $0.version + 1 <= version } ?? 0
        snapshots.removeFirst(base)
    }

    // MARK: Waiting

    mutating func nextWaiter() -> UInt64 {
        lastWaiter += 1
        return lastWaiter
    }

    /// Notes a task that waits; false when there is nothing to wait for.
    mutating func wait(
        _ continuation: CheckedContinuation<Void, Never>, id: UInt64, after version: Version
    ) -> Bool {
        if isClosed || lastVersion > version || cancelled.remove(id) != nil { return false }
        waiters[id] = continuation
        return true
    }

    mutating func cancelWaiter(_ id: UInt64) -> CheckedContinuation<Void, Never>? {
        if let waiter = waiters.removeValue(forKey: id) { return waiter }
        cancelled.insert(id)
        return nil
    }

    /// Forgets a wait that was cancelled after it had ended.
    mutating func forgetWaiter(_ id: UInt64) {
        cancelled.remove(id)
    }

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
        defer { waiters = [:] }
        return Array(waiters.values)
    }
}
