// SPDX-License-Identifier: MIT
#if SQLite

internal import GRDB
internal import Onward
internal import OnwardJournal

/// A journal's file while it is open: SQLite's connection, the lock of the writer, and what is known of the end.
final class SQLiteConnection: Sendable {
    private struct Contents {
        /// Held until the connection is closed; nil for one that only reads.
        var lock: WriterLock?
        /// Nil until the file is open.
        var presence: JournalPresence?
        /// Where the journal ends; nil if that has to be found out.
        var end: JournalPosition?
        /// The last end that was known.
        var safe: CommitVersion?
        var isClosed = false
    }

    private let place: JournalPlace
    private let queue: DatabaseQueue
    private let file: SQLiteFile
    private let isReading: Bool
    private let contents: Guarded<Contents>
    /// Notified of each end that is found.
    private let ending: JournalEnd

    /// Opens a file; `known` is the one that has to be there, if it was open before.
    init(
        _ place: JournalPlace, _ options: SQLiteJournalOptions, reading isReading: Bool,
        expecting known: FileIdentity? = nil, _ ending: JournalEnd
    ) async throws(JournalError) {
        if let known, FileIdentity.look(at: place.name) != .file(known) { throw .gone(place.name) }
        let lock = try isReading ? nil : WriterLock(beside: place.path)
        file = SQLiteFile(
            path: place.path, options: options,
            mark: try !isReading && options.keepsMark ? HighWaterMark(beside: place.path) : nil)
        var configuration = Configuration()
        configuration.readonly = isReading
        configuration.label = "OnwardSQLite"
        configuration.busyMode = .timeout(5)
        do {
            queue = try DatabaseQueue(path: place.path, configuration: configuration)
        } catch {
            throw Self.failure(error, place.path, nil)
        }
        (self.place, self.isReading, self.ending) = (place, isReading, ending)
        contents = Guarded(Contents(lock: lock))
        do {
            try await run { (connection, db) in try connection.open(db) }.get()
        } catch {
            let isOthers = [.newer, .foreign].contains(error.code)
            let witness = isOthers ? Self.reader(of: place) : nil
            await close()
            try? witness?.close()
            throw error
        }
    }

    /// A connection that only reads.
    ///
    /// The last connection that is closed brings SQLite's log into the file, unless it only reads: while there is
    /// this one, closing another changes nothing in a file that isn't ours.
    private static func reader(of place: JournalPlace) -> DatabaseQueue? {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try? DatabaseQueue(path: place.path, configuration: configuration)
        _ = try? queue?.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")
        }
        return queue
    }

    private func open(_ db: Database) throws {
        try file.open(db, writing: !isReading)
        let presence = try JournalPresence(place, writing: !isReading)
        // Whoever has replaced it meanwhile did so before its names were looked at.
        if file.hasMoved(db) { throw JournalError.gone(place.name) }
        contents.withValue { $0.presence = presence }
    }

    /// The identity of the file; nil where it isn't among the system's files.
    var identity: FileIdentity? { contents.withValue { $0.presence?.identity } }

    /// Closes the file, behind the calls that are under way, and lets go of its locks.
    func close() async {
        await withCheckedContinuation { continuation in
            queue.asyncWriteWithoutTransaction { [self] db in
                let wasClosed = contents.withValue { contents in
                    defer { contents.isClosed = true }
                    return contents.isClosed
                }
                // SQLite removes its log by name, which may be that of another journal by now.
                if !wasClosed, absence != nil { file.keepLog(db) }
                continuation.resume()
            }
        }
        // A log that others have changed must not be brought into the file.
        let witness = absence == nil ? nil : Self.reader(of: place)
        try? queue.close()
        try? witness?.close()
        contents.withValue { $0.lock = nil }
    }

    // MARK: Calls

    /// Runs a call on the queue, whether its task is cancelled or not.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection, Database) throws -> Value
    ) async -> Result<Value, JournalError> {
        await withCheckedContinuation { continuation in
            queue.asyncWriteWithoutTransaction { [self] db in
                continuation.resume(returning: run(body, db))
            }
        }
    }

    private func run<Value>(
        _ body: (SQLiteConnection, Database) throws -> Value, _ db: Database
    ) -> Result<Value, JournalError> {
        do {
            if contents.withValue({ $0.isClosed }) { throw JournalError.closed("A call") }
            try look()
            // Everything that a reader reads in several steps is from one moment.
            if isReading { try db.beginTransaction(.deferred) }
            defer { if isReading { try? db.commit() } }
            let value = try body(self, db)
            // What was stored meanwhile is where its readers look for it, or the call has failed.
            try look()
            return .success(value)
        } catch {
            // The next call finds out what a failed one has stored.
            let safe = contents.withValue { contents in
                contents.end = nil
                return contents.safe
            }
            return .failure(absence ?? Self.failure(error, file.path, safe))
        }
    }

    /// The file is gone: a better reason than what SQLite says then.
    private var absence: JournalError? {
        do {
            try contents.withValue({ $0.presence })?.check()
        } catch  where error.code == .gone {
            return error
        } catch {}
        return nil
    }

    /// Fails unless the names stand for the files that are open; takes the writer's lock again where its file is
    /// gone.
    private func look() throws(JournalError) {
        let (presence, lock) = contents.withValue { ($0.presence, $0.lock) }
        guard let presence else { return }
        try presence.check()
        guard let lock, lock.isGone else { return }
        let anew = try WriterLock(beside: place.path)
        contents.withValue { contents in
            contents.lock = anew
            // Somebody may have written meanwhile.
            contents.end = nil
        }
    }

    // MARK: Where the journal ends

    /// The tables, for a call.
    var tables: SQLiteFile { file }

    /// Where the journal ends; on the queue.
    func end(_ db: Database) throws -> JournalPosition {
        if !isReading, let known = contents.withValue({ $0.end }) { return known }
        let end = try file.end(db)
        try file.noteEnd(db)
        note(end)
        return end
    }

    /// Appends entries; on the queue.
    func append(
        _ entries: [JournalEntry], after expected: JournalPosition, _ db: Database
    ) throws {
        try file.append(entries, after: expected, at: end(db), db)
        guard let last = entries.last else { return }
        try file.noteEnd(db)
        note(last.position)
    }

    private func note(_ end: JournalPosition) {
        contents.withValue { contents in
            contents.end = end
            contents.safe = end.version
        }
        ending.note(end.version)
    }

    private static func failure(
        _ error: any Error, _ path: String, _ safe: CommitVersion?
    ) -> JournalError {
        switch error {
        case let error as JournalError: error
        case let error as DatabaseError: JournalError(error, of: path, safe: safe)
        default: JournalError(.storage, version: safe, "The journal \(path) failed: \(error)")
        }
    }
}
#endif
