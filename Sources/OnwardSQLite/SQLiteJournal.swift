// SPDX-License-Identifier: MIT
#if SQLite

internal import Foundation
internal import GRDB
public import Onward
public import OnwardJournal

/// A journal in one SQLite file: for an app that is to go on where it was.
///
/// ```swift
/// let journal = try await SQLiteJournal(at: "/var/lib/shop/orders.journal")
/// ```
///
/// One journal object writes a file; another one, in this process or another, is refused with
/// `JournalError.Code.locked`, as long as the first isn't closed or its process runs. Any
/// number may read meanwhile: ``init(reading:options:)``.
///
/// Calls are served in order by a queue of the journal's own. An append returns once its entries have
/// reached ``SQLiteJournalOptions/durability``; all of them are stored or none. Each entry and snapshot has a
/// checksum, which is compared whenever it is read.
///
/// What goes wrong is a `JournalError` with the last version that is known to be stored:
/// `.full` without room, `.unwritable` for a folder that may only be read, `.damaged` for what isn't what was
/// written, `.storage` for everything else, such as a file that was deleted underneath. After a failed append
/// the journal finds out what is stored before it takes the next one.
public final class SQLiteJournal: Journal {
    private struct Contents {
        /// Where the journal ends; nil where that has to be found out.
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

    /// Opens a journal for writing; makes the file where there is none.
    ///
    /// - Parameters:
    ///   - path: The file. Beside it stand files of the same name with `-wal`, `-shm` and `-writer` behind it.
    ///   - options: How entries are kept.
    /// - Throws: `JournalError.Code.locked` where somebody writes it, `.unwritable` where that
    ///   isn't allowed, `.foreign` where the file is something else, `.newer` where a newer version of the
    ///   library wrote it, `.unreadable` where it was written with another transform, `.damaged`.
    /// - Complexity: O(1); an interrupted erasure is finished first.
    public convenience init(
        at path: String, options: SQLiteJournalOptions = SQLiteJournalOptions()
    ) async throws(JournalError) {
        let lock = try WriterLock(beside: path)
        try await self.init(path, options, lock)
    }

    /// Opens a journal that somebody else may be writing, for reading.
    ///
    /// - Throws: `.unwritable` where there is no such file; otherwise as for one that is written.
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

    /// Adds entries behind the last one, in one transaction; returns once they are as durable as the options
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

    /// Entries from a version on, in order; their checksums are compared.
    public func entries(
        from version: Version, limit: Int
    ) async throws(JournalError) -> [JournalEntry] {
        try await perform("entries(from:limit:)") { [self] db in
            try file.entries(from: version, limit: limit, db)
        }
    }

    /// Returns once there is an entry after a version, or the journal was closed.
    ///
    /// A journal that was opened for reading looks every 50 ms.
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
        // What was written before this object has opened the file.
        guard try await lastVersion() <= version else { return }
        try await ending.wait(after: version)
    }

    /// The newest snapshot at or before a version; nil where there is none.
    public func snapshot(at version: Version) async throws(JournalError) -> JournalSnapshot? {
        try await perform("snapshot(at:)") { [self] db in try file.snapshot(at: version, db) }
    }

    /// Keeps a snapshot; one of the same version is replaced.
    public func store(_ snapshot: JournalSnapshot) async throws(JournalError) {
        try await perform("store(_:)", writing: true) { [self] db in
            try file.store(snapshot, at: end(db), db)
        }
    }

    /// Forgets entries before a version, and snapshots that only served these.
    public func truncate(before version: Version) async throws(JournalError) {
        try await perform("truncate(before:)", writing: true) { [self] db in
            try file.truncate(before: version, at: end(db), db)
        }
    }

    /// Keeps a snapshot of the state behind an entry, where the journal has that entry.
    public func store(
        _ snapshot: JournalSnapshot, at position: JournalPosition
    ) async throws(JournalError) {
        try await perform("store(_:at:)", writing: true) { [self] db in
            try file.check(position, at: end(db), db)
            try file.store(snapshot, at: end(db), db)
        }
    }

    /// Forgets entries before a version, where the journal has an entry that the caller knows.
    public func truncate(
        before version: Version, at position: JournalPosition
    ) async throws(JournalError) {
        try await perform("truncate(before:at:)", writing: true) { [self] db in
            try file.check(position, at: end(db), db)
            try file.truncate(before: version, at: end(db), db)
        }
    }

    /// Takes away what entries say, drops the snapshots that include them, and rewrites the file, so that none
    /// of its bytes has what was erased.
    ///
    /// Interrupted behind its first half, it is finished when the journal is opened again. It can't reach
    /// copies: backups, exports, what the file system or the disk has kept.
    ///
    /// - Throws: As `Journal.erase(_:_:)`; `.storage` where somebody reads the journal so that
    ///   old bytes stay for now.
    /// - Complexity: O(size of the file).
    public func erase(
        _ entries: [JournalEntry], _ snapshots: [JournalSnapshot]
    ) async throws(JournalError) {
        try await perform("erase(_:_:)", writing: true) { [self] db in
            try file.erase(entries, snapshots, db)
        }
    }

    /// Makes the file as small as its contents.
    ///
    /// - Complexity: O(size of the file).
    public func compact() async throws(JournalError) {
        try await perform("compact()", writing: true) { [self] db in try file.rewrite(db) }
    }

    /// Ends the journal: readers that follow it end, later calls throw, the next writer may open the file.
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
            // What a reader reads in several steps is of one moment.
            if isReading { try db.beginTransaction(.deferred) }
            defer { if isReading { try? db.commit() } }
            return .success(try body(db))
        } catch {
            // What a failed call has stored is found out by the next one.
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
