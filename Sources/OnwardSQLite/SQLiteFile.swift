// SPDX-License-Identifier: MIT
#if SQLite

internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Onward
internal import OnwardJournal

/// A journal's tables in an SQLite database.
///
/// Its methods are called on the database's queue.
struct SQLiteFile {
    /// "Onwd", in the header of the file; `file(1)` and SQLite's own tools show it.
    static let applicationID: Int64 = 0x4F6E_7764

    let path: String
    let options: SQLiteJournalOptions
    let mark: HighWaterMark?

    // MARK: Opening

    /// Checks that a database is a journal, and makes one of an empty database.
    func open(_ db: Database, writing isWriting: Bool) throws {
        let application = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let format = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        let isEmpty = application == 0 && format == 0 && tables == 0
        guard application == Self.applicationID || isEmpty else {
            throw JournalError.foreign(path, "it is the database of another program")
        }
        guard format <= JournalEntry.format else { throw JournalError.newer(path, format) }
        guard isEmpty || format == JournalEntry.format else {
            throw JournalError.foreign(path, "format \(format) was never released")
        }
        guard isWriting else {
            if isEmpty { throw JournalError.foreign(path, "it is empty") }
            return try checkTransform(db)
        }
        // To its end: of a statement that is left behind its first row, nobody learns that its commit failed.
        try db.execute(sql: "PRAGMA journal_mode = WAL")
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal" else {
            throw JournalError.unwritable(path, "its file system has no shared memory")
        }
        try db.execute(
            sql: "PRAGMA synchronous = \(options.durability == .synced ? "FULL" : "NORMAL")")
        // What is deleted is overwritten, so that an erasure leaves nothing behind.
        try db.execute(sql: "PRAGMA secure_delete = ON")
        if isEmpty { try create(db) } else { try checkTransform(db) }
        if try value(of: "erasing", db) != nil { try shred(db) }
        _ = try end(db)
        try mark?.check(try bounds(db), of: path)
    }

    /// Whether the file that SQLite has open isn't the one of that name; false for a file system that can't say.
    func hasMoved(_ db: Database) -> Bool {
        var hasMoved: CInt = 0
        sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return hasMoved != 0
    }

    /// Has SQLite leave the files beside the journal where they are when it closes them.
    func keepLog(_ db: Database) {
        var keeps: CInt = 1
        sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps)
    }

    /// Notes in the second file where the journal ends.
    func noteEnd(_ db: Database) throws {
        guard let mark else { return }
        try mark.note(try bounds(db), synced: options.durability == .synced)
    }

    private func create(_ db: Database) throws {
        try db.inTransaction(.immediate) {
            try db.execute(sql: EntryRow.table)
            try db.execute(sql: SnapshotRow.table)
            try db.execute(sql: "CREATE TABLE journal (name TEXT PRIMARY KEY, value ANY) STRICT")
            try set(JournalBounds(), db)
            if let transform = options.transform { try set("transform", to: transform.name, db) }
            try db.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(JournalEntry.format)")
            return .commit
        }
    }

    private func checkTransform(_ db: Database) throws {
        let found = try value(of: "transform", db).flatMap(String.fromDatabaseValue)
        guard found != options.transform?.name else { return }
        throw JournalError(
            .unreadable,
            """
            The journal \(path) was written \(found.map { "with the transform \"\($0)\"" } ?? "plainly"), and \
            was opened \(options.transform.map { "with the transform \"\($0.name)\"" } ?? "without a transform"). \
            Open it with the transform that wrote it.
            """)
    }

    // MARK: What is known of the whole

    private func value(of name: String, _ db: Database) throws -> DatabaseValue? {
        let value = try DatabaseValue.fetchOne(
            db, sql: "SELECT value FROM journal WHERE name = ?", arguments: [name])
        return value.flatMap { $0.isNull ? nil : $0 }
    }

    private func set(_ name: String, to value: (any DatabaseValueConvertible)?, _ db: Database)
        throws
    {
        guard let value else {
            return try db.execute(sql: "DELETE FROM journal WHERE name = ?", arguments: [name])
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO journal VALUES (?, ?)", arguments: [name, value])
    }

    /// Where the journal begins and ends, by the row that says so.
    func bounds(_ db: Database) throws -> JournalBounds {
        let row = try db.cachedStatement(sql: "SELECT value FROM journal WHERE name = 'bounds'")
        defer { row.end() }
        guard try row.step(db), let bounds = JournalBounds(row.bytes(0)) else {
            throw JournalError.damagedBounds(path, "the row that says so can't be read", nil)
        }
        return bounds
    }

    private func set(_ bounds: JournalBounds, _ db: Database) throws {
        let row = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO journal VALUES ('bounds', ?)")
        bounds.bytes.withUnsafeBytes { row.bind($0, at: 1) }
        try row.run(db)
    }

    /// Where the journal ends, as the last entry and the bounds say.
    ///
    /// - Throws: `.damaged` where they differ.
    func end(_ db: Database) throws -> JournalPosition {
        let bounds = try bounds(db)
        let row = try db.cachedStatement(
            sql:
                "SELECT \(EntryRow.columns) FROM entry WHERE version > 0 ORDER BY version DESC LIMIT 1"
        )
        defer { row.end() }
        let last = try row.step(db) ? try EntryRow.entry(of: row).position : nil
        guard last == bounds.last || (last == nil && bounds.first == bounds.last.version + 1) else {
            throw JournalError.damagedBounds(
                path, "the last entry is \(last?.version ?? 0)", bounds.last.version)
        }
        return bounds.last
    }

    // MARK: Entries

    func append(
        _ entries: [JournalEntry], after expected: JournalPosition, at end: JournalPosition,
        _ db: Database
    ) throws {
        guard expected == end else { throw JournalError.conflict(expected: expected, true: end) }
        for (offset, entry) in entries.enumerated() {
            let wanted = expected.version + 1 + CommitVersion(offset)
            guard entry.version == wanted else {
                throw JournalError.misnumbered(entry, at: offset, instead: wanted)
            }
        }
        guard let last = entries.last else { return }
        var bounds = try bounds(db)
        try db.inTransaction(.immediate) {
            let row = try db.cachedStatement(
                sql: "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            for entry in entries {
                EntryRow.bind(try stored(entry), to: row)
                try row.run(db)
            }
            bounds.last = last.position
            try set(bounds, db)
            return .commit
        }
    }

    func entries(from version: CommitVersion, limit: Int, _ db: Database) throws -> [JournalEntry] {
        let bounds = try bounds(db)
        guard version >= bounds.first else {
            throw JournalError.truncated(version, first: bounds.first)
        }
        guard limit > 0, version <= CommitVersion(Int64.max) else { return [] }
        let row = try db.cachedStatement(
            sql: "SELECT \(EntryRow.columns) FROM entry WHERE version >= ? ORDER BY version LIMIT ?"
        )
        row.bind(Int64(version), at: 1)
        row.bind(Int64(limit), at: 2)
        defer { row.end() }
        var entries: [JournalEntry] = []
        while try row.step(db) {
            let stored = try EntryRow.entry(of: row)
            let expected = version + CommitVersion(entries.count)
            guard stored.version == expected else {
                throw JournalError.damaged(entry: expected, "it is missing")
            }
            entries.append(try plain(stored))
        }
        let next = version + CommitVersion(entries.count)
        guard entries.count == limit || next > bounds.last.version else {
            throw JournalError.damaged(entry: next, "it is missing")
        }
        return entries
    }

    // MARK: Snapshots

    func snapshot(at version: CommitVersion, _ db: Database) throws -> JournalSnapshot? {
        let row = try db.cachedStatement(
            sql: """
                SELECT \(SnapshotRow.columns) FROM snapshot WHERE version BETWEEN 0 AND ?
                ORDER BY version DESC LIMIT 1
                """)
        row.bind(Int64(clamping: version), at: 1)
        defer { row.end() }
        let stored = try row.step(db) ? try SnapshotRow.snapshot(of: row) : nil
        let bounds = try bounds(db)
        // The entries before the first one that is kept are forgotten only where a snapshot stands for them.
        guard version < bounds.last.version || (stored?.version ?? 0) + 1 >= bounds.first else {
            throw JournalError.missingBase(path, bounds.first)
        }
        return try stored.map(plain)
    }

    func store(_ snapshot: JournalSnapshot, at end: JournalPosition, _ db: Database) throws {
        guard snapshot.version <= end.version else {
            throw JournalError.snapshotAhead(snapshot.version, of: end.version)
        }
        try db.inTransaction(.immediate) {
            try insert(snapshot, db)
            return .commit
        }
    }

    private func insert(_ snapshot: JournalSnapshot, _ db: Database) throws {
        let row = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?, ?)")
        SnapshotRow.bind(try stored(snapshot), to: row)
        try row.run(db)
    }

    /// Fails unless the journal has the entry of a position.
    func check(_ position: JournalPosition, at end: JournalPosition, _ db: Database) throws {
        guard position != .start, position != end else { return }
        let row = try db.cachedStatement(
            sql: "SELECT \(EntryRow.columns) FROM entry WHERE version = ?")
        row.bind(Int64(clamping: position.version), at: 1)
        defer { row.end() }
        let found = try row.step(db) ? try EntryRow.entry(of: row).position : nil
        guard found == position else {
            throw JournalError.conflict(expected: position, true: found ?? end)
        }
    }

    // MARK: Forgetting

    func truncate(before version: CommitVersion, at end: JournalPosition, _ db: Database) throws {
        var bounds = try bounds(db)
        guard version > bounds.first else { return }
        let newest = try Int64.fetchOne(
            db, sql: "SELECT max(version) FROM snapshot WHERE version >= 0")
        guard version <= end.version + 1, let newest,
            CommitVersion(bitPattern: newest) + 1 >= version
        else { throw JournalError.uncovered(version) }
        try db.inTransaction(.immediate) {
            let limit = Int64(version)
            try db.execute(sql: "DELETE FROM entry WHERE version < ?", arguments: [limit])
            try db.execute(sql: "DELETE FROM snapshot WHERE version + 1 < ?", arguments: [limit])
            bounds.first = version
            try set(bounds, db)
            return .commit
        }
        // What was forgotten must not stay in SQLite's log. While somebody reads, it stays until the next time.
        try? checkpoint(db)
    }

    func erase(
        _ erased: [JournalEntry], _ anew: [JournalSnapshot], _ db: Database
    ) throws {
        let first = try bounds(db).first
        let kept = try Set(
            Int64.fetchAll(db, sql: "SELECT version FROM snapshot WHERE version >= 0")
        )
        .map(CommitVersion.init(bitPattern:))
        let replaced = Set(anew.map(\.version))
        let start = erased.map(\.version).min() ?? .max
        let dropped = kept.filter { $0 >= start && !replaced.contains($0) }
        let stays = kept.contains { $0 + 1 >= first && !dropped.contains($0) }
        if first > 1, !stays { throw JournalError.lastBase(dropped.max() ?? first - 1) }
        try db.inTransaction(.immediate) {
            let old = try db.cachedStatement(
                sql: "SELECT \(EntryRow.columns) FROM entry WHERE version = ?")
            let new = try db.cachedStatement(
                sql: "INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            for entry in erased {
                old.bind(Int64(clamping: entry.version), at: 1)
                guard try old.step(db) else {
                    throw JournalError.notErasable(entry, "the journal doesn't keep it")
                }
                defer { old.end() }
                try entry.checkErases(try EntryRow.entry(of: old))
                EntryRow.bind(try stored(entry), to: new)
                try new.run(db)
            }
            for version in dropped {
                try db.execute(
                    sql: "DELETE FROM snapshot WHERE version = ?",
                    arguments: [Int64(bitPattern: version)])
            }
            for snapshot in anew where kept.contains(snapshot.version) { try insert(snapshot, db) }
            try set("erasing", to: 1, db)
            return .commit
        }
        try shred(db)
    }

    /// Rewrites the file, so that no page has what was erased; begun again at the next opening where it is
    /// interrupted.
    private func shred(_ db: Database) throws {
        try rewrite(db)
        try db.inTransaction(.immediate) {
            try set("erasing", to: nil as Int?, db)
            return .commit
        }
        try checkpoint(db)
    }

    /// Makes the file as small as its contents.
    func rewrite(_ db: Database) throws {
        try db.execute(sql: "VACUUM")
        try checkpoint(db)
    }

    /// Brings everything from SQLite's log into the file, and empties the log.
    private func checkpoint(_ db: Database) throws {
        let isBusy = try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? 0
        guard isBusy == 0 else {
            throw JournalError(
                .storage,
                """
                The log of \(path) can't be emptied while somebody reads the journal: the old bytes are still \
                there. Have the readers close it, and call this again or open the journal anew.
                """)
        }
    }

    // MARK: Payloads

    private func stored(_ entry: JournalEntry) throws -> JournalEntry {
        guard let transform = options.transform else { return entry }
        return entry.with(payload: try transform.write(entry.payload))
    }

    private func plain(_ entry: JournalEntry) throws -> JournalEntry {
        guard let transform = options.transform else { return entry }
        do {
            return entry.with(payload: try transform.read(entry.payload))
        } catch {
            throw JournalError(
                .unreadable, version: entry.version,
                "The transform \"\(transform.name)\" can't read entry \(entry.version): \(error)")
        }
    }

    private func stored(_ snapshot: JournalSnapshot) throws -> JournalSnapshot {
        guard let transform = options.transform else { return snapshot }
        return snapshot.with(payload: try transform.write(snapshot.payload))
    }

    private func plain(_ snapshot: JournalSnapshot) throws -> JournalSnapshot {
        guard let transform = options.transform else { return snapshot }
        do {
            return snapshot.with(payload: try transform.read(snapshot.payload))
        } catch {
            throw JournalError(
                .unreadable, version: snapshot.version,
                """
                The transform "\(transform.name)" can't read the snapshot at version \(snapshot.version): \
                \(error)
                """)
        }
    }
}

extension JournalEntry {
    fileprivate func with(payload: [UInt8]) -> JournalEntry {
        JournalEntry(
            version: version, id: id, kind: kind, epoch: epoch, name: name, schema: schema,
            payload: payload, address: address, parent: parent, origin: origin, time: time)
    }
}

extension JournalSnapshot {
    fileprivate func with(payload: [UInt8]) -> JournalSnapshot {
        JournalSnapshot(
            version: version, schema: schema, fingerprint: fingerprint, payload: payload)
    }
}
#endif
