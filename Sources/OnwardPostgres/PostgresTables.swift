// SPDX-License-Identifier: MIT
#if All

internal import Onward
internal import OnwardJournal

/// The tables of journals in a database.
///
/// The row of a store says where its journal begins and ends, and is what appends are compared with: whoever changes
/// it has it to itself until the end of the transaction. Methods are called on the queue of a connection.
struct PostgresTables: Sendable {
    let schema: String
    /// The name of the database in messages.
    let name: String

    // MARK: Opening

    /// What brings the tables from each version to the next one; an empty database has version 0.
    var migrations: [[String]] {
        [
            [
                """
                CREATE TABLE \(schema).store (
                    store bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE,
                    first bigint NOT NULL DEFAULT 1, last bigint NOT NULL DEFAULT 0,
                    last_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000')
                WITH (fillfactor = 50)
                """,
                """
                CREATE TABLE \(schema).entry (
                    store bigint NOT NULL, version bigint NOT NULL, id uuid NOT NULL, kind smallint NOT NULL,
                    epoch bigint NOT NULL, name text NOT NULL, schema bigint NOT NULL, payload bytea NOT NULL,
                    address text NOT NULL, parent bigint, file text NOT NULL, line bigint NOT NULL, time bigint,
                    checksum bigint NOT NULL, PRIMARY KEY (store, version))
                """,
                """
                CREATE TABLE \(schema).snapshot (
                    store bigint NOT NULL, version bigint NOT NULL, schema bigint NOT NULL,
                    fingerprint bigint NOT NULL, payload bytea NOT NULL, checksum bigint NOT NULL,
                    PRIMARY KEY (store, version))
                """,
            ],
            [
                """
                CREATE TABLE \(schema).node (
                    name text PRIMARY KEY, announcement bytea NOT NULL, seen timestamptz NOT NULL)
                WITH (fillfactor = 50)
                """
            ],
        ]
    }

    /// Checks that the tables are those that this program knows; makes them, or brings older ones up to date.
    func open(_ db: isolated PostgresConnection) throws(PostgresFailure) {
        if try isCurrent(db) { return }
        try db.transaction { db throws(PostgresFailure) in
            // One program at a time; the others find it done.
            try db.run(
                Statement("SELECT pg_advisory_xact_lock(hashtext($1))", [.text("onward.\(schema)")])
            )
            if try isCurrent(db) { return }
            let there = try db.run(
                Statement("SELECT to_regnamespace($1) IS NOT NULL", [.text(schema)]))
            // Who may write in a schema need not be let make one.
            if there.number(0, 0) == 0 { try db.run(Statement("CREATE SCHEMA \(schema)")) }
            try db.run(
                Statement(
                    "CREATE TABLE IF NOT EXISTS \(schema).format (tables bigint NOT NULL, entries bigint NOT NULL)"
                ))
            let found = try db.run(Statement("SELECT tables FROM \(schema).format"))
            let version = found.count == 0 ? 0 : Int(found.number(0, 0))
            for migration in migrations.dropFirst(version) {
                for statement in migration { try db.run(Statement(statement)) }
            }
            try db.run(Statement("DELETE FROM \(schema).format"))
            try db.run(
                Statement(
                    "INSERT INTO \(schema).format VALUES ($1, $2)",
                    [.number(Int64(migrations.count)), .number(Int64(JournalEntry.format))]))
        }
    }

    /// Whether the tables are those of this version; false for older ones and where there are none.
    private func isCurrent(_ db: isolated PostgresConnection) throws(PostgresFailure) -> Bool {
        let table = try db.run(
            Statement("SELECT to_regclass($1) IS NOT NULL", [.text("\(schema).format")]))
        guard table.number(0, 0) != 0 else { return false }
        let found = try db.run(Statement("SELECT tables, entries FROM \(schema).format"))
        guard found.count == 1 else {
            throw PostgresFailure(
                JournalError(
                    .foreign,
                    """
                    The schema "\(schema)" of the database \(name) has a table named format that is none of a \
                    journal's. Give the journals a schema of their own.
                    """))
        }
        for (column, known) in [(0, migrations.count), (1, JournalEntry.format)]
        where found.number(0, column) > known {
            throw PostgresFailure(.newer(name, found.number(0, column), known))
        }
        return found.number(0, 0) == migrations.count && found.number(0, 1) == JournalEntry.format
    }

    /// The number of a store, which is made where there is none.
    func store(named store: String, _ db: isolated PostgresConnection) throws(PostgresFailure)
        -> Int64
    {
        let find = Statement("SELECT store FROM \(schema).store WHERE name = $1", [.text(store)])
        var rows = try db.run(find)
        if rows.count == 0 {
            try db.run(
                Statement(
                    "INSERT INTO \(schema).store (name) VALUES ($1) ON CONFLICT (name) DO NOTHING",
                    [.text(store)]))
            rows = try db.run(find)
        }
        return rows.number(0, 0)
    }

    // MARK: Appending

    enum Appended: Sendable {
        case all
        /// The journal ends elsewhere.
        case nothing(JournalPosition)
    }

    /// Adds entries that follow one another, in one statement: the row of the store is changed where it has the
    /// expected position, and where it was, the entries are added.
    ///
    /// Where `isRepeated`, an earlier try may have added them.
    func append(
        _ entries: [JournalEntry], after expected: JournalPosition, to store: StoreName,
        isRepeated: Bool, _ db: isolated PostgresConnection
    ) throws(PostgresFailure) -> Appended {
        guard let last = entries.last else { return .all }
        let arrays = EntryRow.arrays.enumerated().map { "$\($0.offset + 6)::\($0.element)" }
        let rows = try db.run(
            Statement(
                """
                WITH moved AS (
                    UPDATE \(schema).store SET last = $4, last_id = $5
                    WHERE store = $1 AND last = $2 AND last_id = $3 RETURNING store)
                INSERT INTO \(schema).entry (store, \(EntryRow.columns))
                SELECT moved.store, entry.* FROM moved, unnest(\(arrays.joined(separator: ", "))) AS entry
                """,
                [
                    .number(store.number), .version(expected.version), .id(expected.id),
                    .version(last.version), .id(last.id),
                ] + EntryRow.parameters(entries)))
        if rows.affected == entries.count { return .all }
        guard isRepeated else { return .nothing(try end(of: store, db)) }
        // An entry that can be read may not have reached a standby yet. This is a commit behind it: once it is
        // acknowledged, so is everything before.
        try db.run(
            Statement(
                "UPDATE \(schema).store SET last = last WHERE store = $1", [.number(store.number)]))
        let (first, end) = try bounds(of: store, db)
        let found = try db.run(
            Statement(
                "SELECT id FROM \(schema).entry WHERE store = $1 AND version = $2",
                [.number(store.number), .version(last.version)]))
        if found.count == 1, found.id(0, 0) == last.id { return .all }
        if last.version < first {
            // Whoever truncated them has seen entries of these versions; whose they were can't be read any more.
            throw .lost("the entries of these versions are truncated")
        }
        return .nothing(end)
    }

    // MARK: Reading

    func end(
        of store: StoreName, _ db: isolated PostgresConnection
    ) throws(PostgresFailure) -> JournalPosition {
        try bounds(of: store, db).last
    }

    /// Where a journal begins and ends.
    private func bounds(
        of store: StoreName, _ db: isolated PostgresConnection, locking: Bool = false
    ) throws(PostgresFailure) -> (first: CommitVersion, last: JournalPosition) {
        let rows = try db.run(
            Statement(
                """
                SELECT first, last, last_id FROM \(schema).store WHERE store = $1\(locking ? " FOR UPDATE" : "")
                """, [.number(store.number)]))
        guard rows.count == 1, let id = rows.id(0, 2) else { throw PostgresFailure(store.isGone) }
        return (rows.version(0, 0), JournalPosition(version: rows.version(0, 1), id: id))
    }

    /// The last versions of some stores.
    func ends(
        of stores: [Int64], _ db: isolated PostgresConnection
    ) throws(PostgresFailure) -> [(store: Int64, last: CommitVersion)] {
        let rows = try db.run(
            Statement(
                "SELECT store, last FROM \(schema).store WHERE store = ANY($1)",
                [.numbers(stores)]))
        return (0..<rows.count).map { (rows.number($0, 0), rows.version($0, 1)) }
    }

    /// Which entries of which store are wanted.
    struct Wanted: Sendable {
        let store: StoreName
        let version: CommitVersion
        let limit: Int
    }

    /// Entries of some stores and the bounds of their journals, in one statement: of one moment.
    ///
    /// - Returns: Of each store what `entries(from:limit:)` of its journal answers, or throws.
    func entries(
        of wanted: [Wanted], _ db: isolated PostgresConnection
    ) throws(PostgresFailure) -> [Result<[JournalEntry], PostgresFailure>] {
        let rows = try db.run(
            Statement(
                """
                SELECT w.place, s.first, s.last, e.*
                FROM unnest($1, $2, $3) WITH ORDINALITY AS w (store, version, rows, place)
                JOIN \(schema).store s ON s.store = w.store
                LEFT JOIN LATERAL (
                    SELECT \(EntryRow.columns) FROM \(schema).entry
                    WHERE store = w.store AND version >= w.version ORDER BY version LIMIT w.rows) e ON true
                ORDER BY w.place, e.version
                """,
                [
                    .numbers(wanted.map(\.store.number)),
                    .numbers(wanted.map { Int64(clamping: $0.version) }),
                    .numbers(wanted.map { Int64(clamping: max($0.limit, 0)) }),
                ]))
        var next = 0
        return wanted.enumerated().map { index, wanted in
            let start = next
            while next < rows.count, rows.number(next, 0) == index + 1 { next += 1 }
            return Result { () throws(PostgresFailure) in
                try entries(wanted, of: rows, start..<next)
            }
        }
    }

    /// The entries of one store, which stand in some rows.
    private func entries(
        _ wanted: Wanted, of rows: PostgresRows, _ range: Range<Int>
    ) throws(PostgresFailure) -> [JournalEntry] {
        let (store, version, limit) = (wanted.store, wanted.version, wanted.limit)
        guard let start = range.first else { throw PostgresFailure(store.isGone) }
        let first = rows.version(start, 1)
        guard version >= first else { throw PostgresFailure(.truncated(version, first: first)) }
        var entries: [JournalEntry] = []
        for row in range where !rows.isNull(row, 3) {
            let entry = try EntryRow.entry(of: rows, row, from: 3, store: store.text)
            let expected = version + CommitVersion(entries.count)
            guard entry.version == expected else {
                throw PostgresFailure(
                    .damaged(entry: expected, of: store.text, "it is missing"))
            }
            entries.append(entry)
        }
        let next = version.addingReportingOverflow(CommitVersion(entries.count)).partialValue
        guard
            entries.count == limit || limit <= 0 || next > rows.version(start, 2) || version > next
        else {
            throw PostgresFailure(.damaged(entry: next, of: store.text, "it is missing"))
        }
        return entries
    }

    // MARK: Snapshots

    func snapshot(
        of store: StoreName, at version: CommitVersion, _ db: isolated PostgresConnection
    ) throws(PostgresFailure) -> JournalSnapshot? {
        let rows = try db.run(
            Statement(
                """
                SELECT \(SnapshotRow.columns) FROM \(schema).snapshot
                WHERE store = $1 AND version <= $2 ORDER BY version DESC LIMIT 1
                """, [.number(store.number), .number(Int64(clamping: version))]))
        return rows.count == 0 ? nil : try SnapshotRow.snapshot(of: rows, store: store.text)
    }

    /// Keeps a snapshot where the journal has come as far, and has the entry that the caller knows.
    func keep(
        _ snapshot: JournalSnapshot, of store: StoreName, at position: JournalPosition?,
        _ db: isolated PostgresConnection
    ) throws(PostgresFailure) {
        try db.transaction { db throws(PostgresFailure) in
            let last = try bounds(of: store, db, locking: true).last
            guard snapshot.version <= last.version else {
                throw PostgresFailure(.snapshotAhead(snapshot.version, of: last.version))
            }
            try check(position, last, of: store, db)
            try insert(snapshot, of: store, db)
        }
    }

    private func insert(
        _ snapshot: JournalSnapshot, of store: StoreName, _ db: isolated PostgresConnection
    ) throws(PostgresFailure) {
        try db.run(
            Statement(
                """
                INSERT INTO \(schema).snapshot (store, \(SnapshotRow.columns)) VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (store, version) DO UPDATE SET schema = excluded.schema,
                    fingerprint = excluded.fingerprint, payload = excluded.payload, checksum = excluded.checksum
                """, [.number(store.number)] + SnapshotRow.parameters(snapshot)))
    }

    /// Fails unless the journal has the entry of a position.
    private func check(
        _ position: JournalPosition?, _ last: JournalPosition, of store: StoreName,
        _ db: isolated PostgresConnection
    ) throws(PostgresFailure) {
        guard let position, position != .start else { return }
        let rows = try db.run(
            Statement(
                "SELECT id FROM \(schema).entry WHERE store = $1 AND version = $2",
                [.number(store.number), .number(Int64(clamping: position.version))]))
        let found = rows.count == 0 ? nil : rows.id(0, 0)
        guard position == last || found == position.id else {
            throw PostgresFailure(
                .conflict(
                    expected: position,
                    true: found.map { JournalPosition(version: position.version, id: $0) } ?? last))
        }
    }

    // MARK: Forgetting

    func truncate(
        _ store: StoreName, before version: CommitVersion, at position: JournalPosition?,
        _ db: isolated PostgresConnection
    ) throws(PostgresFailure) {
        try db.transaction { db throws(PostgresFailure) in
            let (first, last) = try bounds(of: store, db, locking: true)
            try check(position, last, of: store, db)
            guard version > first else { return }
            let newest = try db.run(
                Statement(
                    "SELECT max(version) FROM \(schema).snapshot WHERE store = $1",
                    [.number(store.number)]))
            guard version <= last.version + 1, let newest = newest.optionalNumber(0, 0),
                CommitVersion(bitPattern: newest) + 1 >= version
            else { throw PostgresFailure(.uncovered(version)) }
            for statement in [
                "DELETE FROM \(schema).entry WHERE store = $1 AND version < $2",
                "DELETE FROM \(schema).snapshot WHERE store = $1 AND version + 1 < $2",
                "UPDATE \(schema).store SET first = $2 WHERE store = $1",
            ] {
                try db.run(Statement(statement, [.number(store.number), .version(version)]))
            }
        }
    }

    func erase(
        _ erased: [JournalEntry], _ anew: [JournalSnapshot], of store: StoreName,
        _ db: isolated PostgresConnection
    ) throws(PostgresFailure) {
        try db.transaction { db throws(PostgresFailure) in
            let first = try bounds(of: store, db, locking: true).first
            let snapshots = try db.run(
                Statement(
                    "SELECT version FROM \(schema).snapshot WHERE store = $1",
                    [.number(store.number)]))
            let kept = Set((0..<snapshots.count).map { snapshots.version($0, 0) })
            let replaced = Set(anew.map(\.version))
            let start = erased.map(\.version).min() ?? .max
            let dropped = kept.filter { $0 >= start && !replaced.contains($0) }
            let stays = kept.contains { $0 + 1 >= first && !dropped.contains($0) }
            if first > 1, !stays { throw PostgresFailure(.lastBase(dropped.max() ?? first - 1)) }
            for entry in erased { try replace(entry, of: store, db) }
            try db.run(
                Statement(
                    "DELETE FROM \(schema).snapshot WHERE store = $1 AND version = ANY($2)",
                    [.number(store.number), .numbers(dropped.map(Int64.init(bitPattern:)))]))
            for snapshot in anew where kept.contains(snapshot.version) {
                try insert(snapshot, of: store, db)
            }
        }
    }

    private func replace(
        _ entry: JournalEntry, of store: StoreName, _ db: isolated PostgresConnection
    ) throws(PostgresFailure) {
        let row = [Parameter.number(store.number), .number(Int64(clamping: entry.version))]
        let old = try db.run(
            Statement(
                "SELECT \(EntryRow.columns) FROM \(schema).entry WHERE store = $1 AND version = $2",
                row))
        guard old.count == 1 else {
            throw PostgresFailure(.notErasable(entry, "the journal doesn't keep it"))
        }
        let stored = try EntryRow.entry(of: old, 0, from: 0, store: store.text)
        do {
            try entry.checkErases(stored)
        } catch {
            throw PostgresFailure(error)
        }
        try db.run(
            Statement("DELETE FROM \(schema).entry WHERE store = $1 AND version = $2", row))
        let arrays = EntryRow.arrays.enumerated().map { "$\($0.offset + 2)::\($0.element)" }
        try db.run(
            Statement(
                """
                INSERT INTO \(schema).entry (store, \(EntryRow.columns))
                SELECT $1, entry.* FROM unnest(\(arrays.joined(separator: ", "))) AS entry
                """, [.number(store.number)] + EntryRow.parameters([entry])))
    }
}

extension PostgresTables {
    /// Notes what a node says of itself; returns what each has said last.
    func announce(
        _ node: String, _ announcement: [UInt8], _ db: isolated PostgresConnection
    ) throws(PostgresFailure) -> [[UInt8]] {
        try db.run(
            Statement(
                """
                INSERT INTO \(schema).node VALUES ($1, $2, now())
                ON CONFLICT (name) DO UPDATE SET announcement = excluded.announcement, seen = excluded.seen
                """, [.text(node), .bytes(announcement)]))
        try db.run(
            Statement("DELETE FROM \(schema).node WHERE seen < now() - interval '1 day'"))
        let rows = try db.run(Statement("SELECT announcement FROM \(schema).node"))
        return (0..<rows.count).map { rows.bytes($0, 0) }
    }
}

/// A store in a database: its number there, and its name.
struct StoreName: Sendable {
    let number: Int64
    let text: String

    /// The row of the store was deleted underneath.
    var isGone: JournalError {
        JournalError(
            .gone, "The journal \"\(text)\" is gone: its row was deleted from the database.")
    }
}
#endif
