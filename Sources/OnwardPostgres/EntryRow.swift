// SPDX-License-Identifier: MIT
#if All

internal import Onward
internal import OnwardJournal

/// How entries stand in a table.
enum EntryRow {
    static let columns = """
        version, id, kind, epoch, name, schema, payload, address, parent, file, line, time, checksum
        """
    /// The types of arrays with a value of each column for every entry.
    static let arrays = """
        bigint[] uuid[] bigint[] bigint[] text[] bigint[] bytea[] text[] bigint[] text[] bigint[] bigint[] bigint[]
        """.split(separator: " ")

    /// An array for each column, in their order.
    static func parameters(_ entries: [JournalEntry]) -> [Parameter] {
        [
            .numbers(entries.map { Int64(bitPattern: $0.version) }),
            .ids(entries.map(\.id)),
            .numbers(entries.map { Int64($0.kind.rawValue) }),
            .numbers(entries.map { Int64(bitPattern: $0.epoch) }),
            .texts(entries.map(\.name)),
            .numbers(entries.map { Int64($0.schema) }),
            .payloads(entries.map(\.payload)),
            .texts(entries.map { $0.address == .root ? "" : $0.address.description }),
            .numbers(entries.map { $0.parent.map(Int64.init(bitPattern:)) }),
            .texts(entries.map(\.origin.file)),
            .numbers(entries.map { Int64($0.origin.line) }),
            .numbers(entries.map { $0.time?.nanosecondsSince1970 }),
            .numbers(entries.map { Int64(bitPattern: $0.checksum) }),
        ]
    }

    /// The entry of a row whose columns begin at one.
    ///
    /// - Throws: `.damaged` where the row is not what was written.
    static func entry(
        of rows: PostgresRows, _ row: Int, from first: Int, store: String
    ) throws(PostgresFailure) -> JournalEntry {
        let version = rows.version(row, first)
        let damaged = { (reason: String) in
            PostgresFailure(.damaged(entry: version, of: store, reason))
        }
        guard let id = rows.id(row, first + 1) else { throw damaged("it has no id") }
        guard
            let kind = UInt8(exactly: rows.number(row, first + 2)).flatMap(JournalEntry.Kind.init)
        else { throw damaged("\(rows.number(row, first + 2)) is no kind of an entry") }
        guard let address = Address(rows.text(row, first + 7)) else {
            throw damaged("its address is none")
        }
        let entry = JournalEntry(
            version: version, id: id, kind: kind, epoch: rows.version(row, first + 3),
            name: rows.text(row, first + 4), schema: Int(rows.number(row, first + 5)),
            payload: rows.bytes(row, first + 6), address: address,
            parent: rows.optionalNumber(row, first + 8).map(CommitVersion.init(bitPattern:)),
            origin: ActionOrigin(
                file: rows.text(row, first + 9), line: Int(rows.number(row, first + 10))),
            time: rows.optionalNumber(row, first + 11).map(Timestamp.init(nanosecondsSince1970:)))
        guard entry.checksum == rows.version(row, first + 12) else {
            throw damaged("its checksum is wrong")
        }
        return entry
    }
}

/// How snapshots stand in a table.
enum SnapshotRow {
    static let columns = "version, schema, fingerprint, payload, checksum"

    static func parameters(_ snapshot: JournalSnapshot) -> [Parameter] {
        [
            .version(snapshot.version), .number(Int64(snapshot.schema)),
            .version(snapshot.fingerprint.rawValue), .bytes(snapshot.payload),
            .version(snapshot.checksum),
        ]
    }

    static func snapshot(
        of rows: PostgresRows, store: String
    ) throws(PostgresFailure) -> JournalSnapshot {
        let snapshot = JournalSnapshot(
            version: rows.version(0, 0), schema: Int(rows.number(0, 1)),
            fingerprint: FeatureFingerprint(rawValue: rows.version(0, 2)),
            payload: rows.bytes(0, 3))
        guard snapshot.checksum == rows.version(0, 4) else {
            throw PostgresFailure(.damaged(snapshot: snapshot.version, of: store))
        }
        return snapshot
    }
}
#endif
