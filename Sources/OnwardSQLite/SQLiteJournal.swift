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
/// was written, `.gone` if the file or its folder was deleted, renamed or replaced while open,
/// `.storage` for everything else. After a failed append, the journal finds out what is stored
/// before it accepts the next one.
///
/// Each call looks for the files before and after its work, so what was acknowledged is in the file
/// that has the journal's name. A file that is put back, such as when its folder gets its old name,
/// is used again.
///
/// While it is open, a journal holds locks on its files. A system that suspends apps may end one
/// that holds locks in a shared folder: ``suspend()`` lets go of them, ``resume()`` takes them up.
public final class SQLiteJournal: Journal {
    private let access: SQLiteAccess
    private let place: JournalPlace
    private let isReading: Bool
    private let ending: JournalEnd
    private let durabilityOption: Durability

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
        try await self.init(path, options, reading: false)
    }

    /// Opens a journal for reading, even while something else is writing it.
    ///
    /// - Throws: `.unwritable` if there is no such file; otherwise as for writing.
    public convenience init(
        reading path: String, options: SQLiteJournalOptions = SQLiteJournalOptions()
    ) async throws(JournalError) {
        try await self.init(path, options, reading: true)
    }

    /// Opens a journal; `known` is the file that has to be there, if it was open before.
    init(
        _ path: String, _ options: SQLiteJournalOptions, reading isReading: Bool,
        expecting known: FileIdentity? = nil
    ) async throws(JournalError) {
        self.isReading = isReading
        durabilityOption = options.durability
        place = JournalPlace(path)
        ending = JournalEnd()
        access = try await SQLiteAccess(known: known) {
            [place, ending] known async throws(JournalError) in
            try await SQLiteConnection(
                place, options, reading: isReading, expecting: known, ending)
        }
    }

    /// The identity of the file; nil where it isn't among the system's files.
    var identity: FileIdentity? { access.identity }

    // MARK: Journal

    /// What the options say; nothing for a database that is only in memory.
    public var durability: Durability {
        identity == nil ? .memory : max(durabilityOption, .written)
    }

    /// The file next to the journal in which a launch notes what it runs while it restores a store,
    /// with the suffix `-replay`; nil for a journal that was opened for reading.
    public var replayMarkPath: String? {
        isReading || identity == nil ? nil : place.path + "-replay"
    }

    /// Where the journal ends.
    public func lastPosition() async throws(JournalError) -> JournalPosition {
        try await perform("lastPosition()") { connection, db in try connection.end(db) }
    }

    /// Appends entries in one transaction, and returns once they are as durable as the options
    /// say.
    ///
    /// - Throws: As `Journal.append(_:after:)`.
    /// - Complexity: O(entries).
    public func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) async throws(JournalError) {
        try await perform("append(_:after:)", writing: true) { connection, db in
            try connection.append(entries, after: expected, db)
        }
    }

    /// Returns entries from a version on, in order; their checksums are verified.
    public func entries(
        from version: CommitVersion, limit: Int
    ) async throws(JournalError) -> [JournalEntry] {
        try await perform("entries(from:limit:)") { connection, db in
            try connection.tables.entries(from: version, limit: limit, db)
        }
    }

    /// Waits until there is an entry after a version, or the journal is closed.
    ///
    /// A journal that was opened for reading checks every 50 ms.
    public func wait(after version: CommitVersion) async throws(JournalError) {
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
    public func snapshot(at version: CommitVersion) async throws(JournalError) -> JournalSnapshot? {
        try await perform("snapshot(at:)") { connection, db in
            try connection.tables.snapshot(at: version, db)
        }
    }

    /// Stores a snapshot, replacing one of the same version.
    public func store(_ snapshot: JournalSnapshot) async throws(JournalError) {
        try await perform("store(_:)", writing: true) { connection, db in
            try connection.tables.store(snapshot, at: connection.end(db), db)
        }
    }

    /// Forgets entries before a version, and snapshots that were needed only for them: also in SQLite's log, unless
    /// somebody reads the journal at that moment.
    public func truncate(before version: CommitVersion) async throws(JournalError) {
        try await perform("truncate(before:)", writing: true) { connection, db in
            try connection.tables.truncate(before: version, at: connection.end(db), db)
        }
    }

    /// Stores a snapshot of the state after an entry, if the journal has that entry.
    public func store(
        _ snapshot: JournalSnapshot, at position: JournalPosition
    ) async throws(JournalError) {
        try await perform("store(_:at:)", writing: true) { connection, db in
            try connection.tables.check(position, at: connection.end(db), db)
            try connection.tables.store(snapshot, at: connection.end(db), db)
        }
    }

    /// Forgets entries before a version, if the journal has an entry that the caller knows.
    public func truncate(
        before version: CommitVersion, at position: JournalPosition
    ) async throws(JournalError) {
        try await perform("truncate(before:at:)", writing: true) { connection, db in
            try connection.tables.check(position, at: connection.end(db), db)
            try connection.tables.truncate(before: version, at: connection.end(db), db)
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
        try await perform("erase(_:_:)", writing: true) { connection, db in
            try connection.tables.erase(entries, snapshots, db)
        }
    }

    /// Whether the files of the journal have one of some texts: in use, unused or in SQLite's log.
    ///
    /// - Complexity: O(size of the files).
    public func stores(anyOf texts: [[UInt8]]) async throws(JournalError) -> Bool {
        if texts.isEmpty { return false }
        return try await perform("stores(anyOf:)") { [path = place.path] _, _ in
            try ["", "-wal", "-mark", "-replay"].contains { suffix in
                let name = path + suffix
                guard FileManager.default.fileExists(atPath: name) else { return false }
                let data = try Data(contentsOf: URL(filePath: name), options: .mappedIfSafe)
                return texts.contains { data.range(of: Data($0)) != nil }
            }
        }
    }

    /// Shrinks the file to the size of its contents.
    ///
    /// - Complexity: O(size of the file).
    public func compact() async throws(JournalError) {
        try await perform("compact()", writing: true) { connection, db in
            try connection.tables.rewrite(db)
        }
    }

    /// Closes the journal: readers that follow it end, later calls throw, and the next writer may
    /// open the file.
    public func close() async {
        ending.close()
        await access.close()
    }

    /// Closes the files behind the calls that are under way, and lets go of every lock on them; later
    /// calls wait until ``resume()``.
    ///
    /// Another program may write the file meanwhile.
    public func suspend() async { await access.suspend() }

    /// Opens the files again, and takes up the locks; waiting calls go on.
    ///
    /// Does nothing unless the journal is suspended.
    ///
    /// - Throws: `.locked` if somebody else is writing the file by now, `.gone` if it isn't the one
    ///   that was open, otherwise as for opening: then the journal stays suspended, and this may be
    ///   called again. `.closed` if it is closed.
    public func resume() async throws(JournalError) {
        try await access.resume()
        // What somebody else has appended meanwhile has its followers.
        _ = try await lastPosition()
    }

    // MARK: Calls

    private func perform<Value: Sendable>(
        _ call: String, writing isWriting: Bool = false,
        _ body: @escaping @Sendable (SQLiteConnection, Database) throws -> Value
    ) async throws(JournalError) -> Value {
        if isWriting, isReading {
            throw .unwritable(place.name, "it was opened for reading")
        }
        if ending.isClosed { throw .closed(call) }
        return try await access.connection(for: call).run(body).get()
    }
}
#endif
