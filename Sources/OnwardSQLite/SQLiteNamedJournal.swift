// SPDX-License-Identifier: MIT
#if SQLite

internal import Onward
internal import OnwardJournal

/// A journal whose file is opened when it is called.
final class SQLiteNamedJournal: Journal {
    private let path: String
    private let files: JournalFiles
    private let onClose: @Sendable () -> Void
    private let end = JournalEnd()

    init(_ path: String, _ files: JournalFiles, onClose: @escaping @Sendable () -> Void) {
        self.path = path
        self.files = files
        self.onClose = onClose
    }

    var durability: Durability { max(files.options.durability, .written) }
    var replayMarkPath: String? { path + "-replay" }

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
        if let last = entries.last { end.note(last.version) }
    }

    func entries(from version: CommitVersion, limit: Int) async throws(JournalError)
        -> [JournalEntry]
    {
        try await call("entries(from:limit:)") { journal throws(JournalError) in
            try await journal.entries(from: version, limit: limit)
        }
    }

    /// Waits without the file, which nobody else writes.
    func wait(after version: CommitVersion) async throws(JournalError) {
        guard try await lastVersion() <= version else { return }
        try await end.wait(after: version)
    }

    func snapshot(at version: CommitVersion) async throws(JournalError) -> JournalSnapshot? {
        try await call("snapshot(at:)") { journal throws(JournalError) in
            try await journal.snapshot(at: version)
        }
    }

    func store(_ snapshot: JournalSnapshot) async throws(JournalError) {
        try await call("store(_:)") { journal throws(JournalError) in
            try await journal.store(snapshot)
        }
    }

    func truncate(before version: CommitVersion) async throws(JournalError) {
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

    func stores(anyOf texts: [[UInt8]]) async throws(JournalError) -> Bool {
        try await call("stores(anyOf:)") { journal throws(JournalError) in
            try await journal.stores(anyOf: texts)
        }
    }

    func close() async {
        guard end.close() else { return }
        await files.retire(path)
        onClose()
    }

    func suspend() async {
        if !end.isClosed { await files.suspend(path) }
    }

    func resume() async throws(JournalError) {
        if end.isClosed { throw .closed("resume()") }
        await files.resume(path)
        do {
            _ = try await lastPosition()
        } catch {
            if !end.isClosed { await files.suspend(path) }
            throw error
        }
    }

    private func call<Value: Sendable>(
        _ name: String,
        _ body: @Sendable (SQLiteJournal) async throws(JournalError) -> Value
    ) async throws(JournalError) -> Value {
        if end.isClosed { throw .closed(name) }
        return try await files.use(path, until: end, body)
    }
}
#endif
