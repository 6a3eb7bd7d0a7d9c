// SPDX-License-Identifier: MIT
#if SQLite

internal import Onward
internal import OnwardJournal

/// A journal whose file is opened when it is called.
final class SQLiteNamedJournal: Journal {
    private struct Contents {
        var isClosed = false
        /// The last end that was seen, for those who wait for an entry.
        var last: Version = 0
        var waiters = JournalWaiters()
    }

    private let path: String
    private let files: JournalFiles
    private let onClose: @Sendable () -> Void
    private let contents = Guarded(Contents())

    init(_ path: String, _ files: JournalFiles, onClose: @escaping @Sendable () -> Void) {
        self.path = path
        self.files = files
        self.onClose = onClose
    }

    func lastPosition() async throws(JournalError) -> JournalPosition {
        try await call("lastPosition()") { journal throws(JournalError) in
            try await journal.lastPosition()
        }
    }

    func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) async throws(JournalError) {
        try await call("append(_:after:)") { journal throws(JournalError) in
            try await journal.append(entries, after: expected)
        }
        let waiters = contents.withValue { contents in
            contents.last = max(contents.last, entries.last?.version ?? 0)
            return contents.waiters.takeAll()
        }
        for waiter in waiters { waiter.resume() }
    }

    func entries(from version: Version, limit: Int) async throws(JournalError) -> [JournalEntry] {
        try await call("entries(from:limit:)") { journal throws(JournalError) in
            try await journal.entries(from: version, limit: limit)
        }
    }

    /// Waits without the file, which nobody else writes.
    func wait(after version: Version) async throws(JournalError) {
        guard try await lastVersion() <= version else { return }
        let id = contents.withValue { $0.waiters.begin() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = contents.withValue { contents in
                    if contents.isClosed || contents.last > version { return false }
                    return contents.waiters.wait(continuation, id: id)
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            contents.withValue { $0.waiters.cancel(id) }?.resume()
        }
        contents.withValue { $0.waiters.forget(id) }
        if Task.isCancelled {
            throw JournalError(.closed, "The task that waited for an entry was cancelled.")
        }
        if contents.withValue({ $0.isClosed }) { throw .closed("wait(after:)") }
    }

    func snapshot(at version: Version) async throws(JournalError) -> JournalSnapshot? {
        try await call("snapshot(at:)") { journal throws(JournalError) in
            try await journal.snapshot(at: version)
        }
    }

    func store(_ snapshot: JournalSnapshot) async throws(JournalError) {
        try await call("store(_:)") { journal throws(JournalError) in
            try await journal.store(snapshot)
        }
    }

    func truncate(before version: Version) async throws(JournalError) {
        try await call("truncate(before:)") { journal throws(JournalError) in
            try await journal.truncate(before: version)
        }
    }

    func erase(
        _ entries: [JournalEntry], _ snapshots: [JournalSnapshot]
    ) async throws(JournalError) {
        try await call("erase(_:_:)") { journal throws(JournalError) in
            try await journal.erase(entries, snapshots)
        }
    }

    func close() async {
        let waiters: [JournalWaiters.Waiter]? = contents.withValue { contents in
            if contents.isClosed { return nil }
            contents.isClosed = true
            return contents.waiters.takeAll()
        }
        guard let waiters else { return }
        for waiter in waiters { waiter.resume() }
        await files.retire(path)
        onClose()
    }

    private func call<Value: Sendable>(
        _ name: String,
        _ body: @Sendable (SQLiteJournal) async throws(JournalError) -> Value
    ) async throws(JournalError) -> Value {
        if contents.withValue({ $0.isClosed }) { throw .closed(name) }
        return try await files.use(path, body)
    }
}
#endif
