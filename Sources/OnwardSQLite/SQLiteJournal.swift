// SPDX-License-Identifier: MIT
#if SQLite

internal import Foundation
internal import GRDB
public import Onward
public import OnwardJournal

/// A journal in one SQLite file, for an app that should continue where it left off.
///
/// ```swift
/// let journal = try await SQLiteJournal(at: "/var/lib/shop/orders.journal")
/// ```
///
/// Only one journal object writes a file; another one, in this process or another, is refused with
/// `JournalError.Code.locked` until the first is closed or its process ends. Any number may read
/// meanwhile: ``init(reading:options:)``.
///
/// Calls are served in order on the journal's own queue. An append returns once its entries have
/// reached ``SQLiteJournalOptions/durability``; all of them are stored or none. Each entry and
/// snapshot has a checksum, which is verified whenever it is read.
///
/// Calls fail with a `JournalError` that has the last version known to be stored: `.full` if there
/// is no room, `.unwritable` for a read-only folder, `.damaged` for contents that differ from what
/// was written, `.storage` for everything else, such as a file that was deleted while open. After a
/// failed append, the journal finds out what is stored before it accepts the next one.
public final class SQLiteJournal: Journal {
    private struct Contents {
        /// Where the journal ends; nil if that has to be found out.
        var end: JournalPosition?
        /// The last end that was known.
        var safe: Version?
    }

    private let queue: DatabaseQueue
    private let file: SQLiteFile
    /// Held until the journal is closed; nil for one that only reads.
    private let lock: Guarded<WriterLock?>
    private let isReading: Bool
    private let contents = Guarded(Contents())
    private let ending = JournalEnd()

    /// Opens a journal for writing; creates the file if there is none.
    ///
    /// - Parameters:
    ///   - path: The file. Next to it are files of the same name with the suffixes `-wal`, `-shm`
    ///     and `-writer`.
    ///   - options: How entries are kept.
    /// - Throws: `JournalError.Code.locked` if something else is writing it, `.unwritable` if that
    ///   isn't allowed, `.foreign` if the file is something else, `.newer` if a newer version of
    ///   the library wrote it, `.unreadable` if it was written with another transform, `.damaged`.
    /// - Complexity: O(1); an interrupted erasure is finished first.
    public convenience init(
        at path: String, options: SQLiteJournalOptions = SQLiteJournalOptions()
    ) async throws(JournalError) {
        let lock = try WriterLock(beside: path)
        try await self.init(path, options, lock)
    }

    /// Opens a journal for reading, even while something else is writing it.
    ///
    /// - Throws: `.unwritable` if there is no such file; otherwise as for writing.
    public convenience init(
        reading path: String, options: SQLiteJournalOptions = SQLiteJournalOptions()
    ) async throws(JournalError) {
        try await self.init(path, options, nil)
    }

    private init(
        _ path: String, _ options: SQLiteJournalOptions, _ lock: WriterLock?
    ) async throws(JournalError) {
        var configuration = Configuration()
        configuration.readonly = lock == nil
        configuration.label = "OnwardSQLite"
        configuration.busyMode = .timeout(5)
        file = SQLiteFile(
            path: path, options: options,
            mark: try lock != nil && options.keepsMark ? HighWaterMark(beside: path) : nil)
        self.lock = Guarded(lock)
        isReading = lock == nil
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw Self.failure(error, path, nil)
        }
        do {
            try await perform("init") { [self] db in try file.open(db, writing: !isReading) }
        } catch {
            await close()
            throw error
        }
    }

    // MARK: Journal

    /// Where the journal ends.
    public func lastPosition() async throws(JournalError) -> JournalPosition {
        try await perform("lastPosition()") { [self] db in try end(db) }
    }

    /// Appends entries in one transaction, and returns once they are as durable as the options
    /// say.
    ///
    /// - Throws: As `Journal.append(_:after:)`.
    /// - Complexity: O(entries).
    public func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) async throws(JournalError) {
        try await perform("append(_:after:)", writing: true) { [self] db in
            try file.append(entries, after: expected, at: end(db), db)
            if let last = entries.last { note(last.position) }
        }
    }

    /// Returns entries from a version on, in order; their checksums are verified.
    public func entries(
        from version: Version, limit: Int
    ) async throws(JournalError) -> [JournalEntry] {
        try await perform("entries(from:limit:)") { [self] db in
            try file.entries(from: version, limit: limit, db)
        }
    }

    /// Waits until there is an entry after a version, or the journal is closed.
    ///
    /// A journal that was opened for reading checks every 50 ms.
    public func wait(after version: Version) async throws(JournalError) {
        if isReading {
            while try await lastVersion() <= version {
                do {
                    try await Task.sleep(for: .milliseconds(50))
                } catch {
                    throw .cancelled
                }
            }
            return
        }
        // What was written before this object opened the file.
        guard try await lastVersion() <= version else { return }
        try await ending.wait(after: version)
    }

    /// Returns the newest snapshot at or before a version; nil if there is none.
    public func snapshot(at version: Version) async throws(JournalError) -> JournalSnapshot? {
        try await perform("snapshot(at:)") { [self] db in try file.snapshot(at: version, db) }
    }

    /// Stores a snapshot, replacing one of the same version.
    public func store(_ snapshot: JournalSnapshot) async throws(JournalError) {
        try await perform("store(_:)", writing: true) { [self] db in
            try file.store(snapshot, at: end(db), db)
        }
    }

    /// Forgets entries before a version, and snapshots that were needed only for them.
    public func truncate(before version: Version) async throws(JournalError) {
        try await perform("truncate(before:)", writing: true) { [self] db in
            try file.truncate(before: version, at: end(db), db)
        }
    }

    /// Stores a snapshot of the state after an entry, if the journal has that entry.
    public func store(
        _ snapshot: JournalSnapshot, at position: JournalPosition
    ) async throws(JournalError) {
        try await perform("store(_:at:)", writing: true) { [self] db in
            try file.check(position, at: end(db), db)
            try file.store(snapshot, at: end(db), db)
        }
    }

    /// Forgets entries before a version, if the journal has an entry that the caller knows.
    public func truncate(
        before version: Version, at position: JournalPosition
    ) async throws(JournalError) {
        try await perform("truncate(before:at:)", writing: true) { [self] db in
            try file.check(position, at: end(db), db)
            try file.truncate(before: version, at: end(db), db)
        }
    }

    /// Erases the contents of entries, drops the snapshots that include them, and rewrites the
    /// file, so that none of its bytes contains what was erased.
    ///
    /// If it is interrupted after its first half, it is finished when the journal is opened again.
    /// It can't reach copies: backups, exports, what the file system or the disk has kept.
    ///
    /// - Throws: As `Journal.erase(_:_:)`; `.storage` if a reader of the journal makes old bytes
    ///   stay for now.
    /// - Complexity: O(size of the file).
    public func erase(
        _ entries: [JournalEntry], _ snapshots: [JournalSnapshot]
    ) async throws(JournalError) {
        try await perform("erase(_:_:)", writing: true) { [self] db in
            try file.erase(entries, snapshots, db)
        }
    }

    /// Shrinks the file to the size of its contents.
    ///
    /// - Complexity: O(size of the file).
    public func compact() async throws(JournalError) {
        try await perform("compact()", writing: true) { [self] db in try file.rewrite(db) }
    }

    /// Closes the journal: readers that follow it end, later calls throw, and the next writer may
    /// open the file.
    public func close() async {
        ending.close()
        // Behind the calls that are under way.
        await withCheckedContinuation { continuation in
            queue.asyncWriteWithoutTransaction { _ in continuation.resume() }
        }
        try? queue.close()
        lock.withValue { $0 = nil }
    }

    // MARK: Calls

    /// Runs a call on the queue, whether its task is cancelled or not.
    private func perform<Value: Sendable>(
        _ call: String, writing isWriting: Bool = false,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(JournalError) -> Value {
        if isWriting, isReading {
            throw .unwritable(file.path, "it was opened for reading")
        }
        let result: Result<Value, JournalError> = await withCheckedContinuation { continuation in
            if ending.isClosed {
                return continuation.resume(returning: .failure(.closed(call)))
            }
            queue.asyncWriteWithoutTransaction { [self] db in
                continuation.resume(returning: run(body, db))
            }
        }
        return try result.get()
    }

    private func run<Value>(
        _ body: (Database) throws -> Value, _ db: Database
    ) -> Result<Value, JournalError> {
        do {
            // Everything that a reader reads in several steps is from one moment.
            if isReading { try db.beginTransaction(.deferred) }
            defer { if isReading { try? db.commit() } }
            return .success(try body(db))
        } catch {
            // The next call finds out what a failed one has stored.
            let safe = contents.withValue { contents in
                contents.end = nil
                return contents.safe
            }
            return .failure(Self.failure(error, file.path, safe))
        }
    }

    /// Where the journal ends; on the queue.
    private func end(_ db: Database) throws -> JournalPosition {
        if !isReading, let known = contents.withValue({ $0.end }) { return known }
        let end = try file.end(db)
        note(end)
        return end
    }

    private func note(_ end: JournalPosition) {
        contents.withValue { contents in
            contents.end = end
            contents.safe = end.version
        }
        ending.note(end.version)
    }

    private static func failure(_ error: any Error, _ path: String, _ safe: Version?)
        -> JournalError
    {
        switch error {
        case let error as JournalError: error
        case let error as DatabaseError: JournalError(error, of: path, safe: safe)
        default: JournalError(.storage, version: safe, "The journal \(path) failed: \(error)")
        }
    }
}
#endif
