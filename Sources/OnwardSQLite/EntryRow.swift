// SPDX-License-Identifier: MIT
#if SQLite

internal import GRDB
internal import Onward
internal import OnwardJournal

/// How entries and snapshots stand in tables.
///
/// The checksum is that of the entry as it is stored: with the payload that the transform has made.
enum EntryRow {
    static let columns = """
        version, id, kind, epoch, name, schema, payload, address, parent, file, line, time, checksum
        """
    static let table = """
        CREATE TABLE entry (
            version INTEGER PRIMARY KEY, id BLOB NOT NULL, kind INTEGER NOT NULL,
            epoch INTEGER NOT NULL, name TEXT NOT NULL, schema INTEGER NOT NULL,
            payload BLOB NOT NULL, address TEXT NOT NULL, parent INTEGER, file TEXT NOT NULL,
            line INTEGER NOT NULL, time INTEGER, checksum INTEGER NOT NULL) STRICT
        """

    /// Binds the columns of an entry, in their order.
    static func bind(_ entry: JournalEntry, to row: Statement) {
        row.bind(Int64(bitPattern: entry.version), at: 1)
        withUnsafeBytes(of: (entry.id.high.bigEndian, entry.id.low.bigEndian)) {
            row.bind($0, at: 2)
        }
        row.bind(Int64(entry.kind.rawValue), at: 3)
        row.bind(Int64(bitPattern: entry.epoch), at: 4)
        row.bind(entry.name, at: 5)
        row.bind(Int64(entry.schema), at: 6)
        entry.payload.withUnsafeBytes { row.bind($0, at: 7) }
        row.bind(entry.address == .root ? "" : entry.address.description, at: 8)
        row.bind(entry.parent.map(Int64.init(bitPattern:)), at: 9)
        row.bind(entry.origin.file, at: 10)
        row.bind(Int64(entry.origin.line), at: 11)
        row.bind(entry.time?.nanosecondsSince1970, at: 12)
        row.bind(Int64(bitPattern: entry.checksum), at: 13)
    }

    /// The entry of a row.
    ///
    /// - Throws: `.damaged` where the row is not what was written, `.newer` for a kind that isn't known.
    static func entry(of row: Statement) throws(JournalError) -> JournalEntry {
        let version = CommitVersion(bitPattern: row.number(0))
        guard let id = id(row.rawBytes(1)) else {
            throw .damaged(entry: version, "its id has \(row.rawBytes(1).count) bytes")
        }
        guard let kind = UInt8(exactly: row.number(2)).flatMap(JournalEntry.Kind.init) else {
            throw .damaged(entry: version, "\(row.number(2)) is no kind of an entry")
        }
        guard let address = Address(row.text(7)) else {
            throw .damaged(entry: version, "its address is none")
        }
        let entry = JournalEntry(
            version: version, id: id, kind: kind, epoch: UInt64(bitPattern: row.number(3)),
            name: row.text(4), schema: Int(row.number(5)), payload: row.bytes(6), address: address,
            parent: row.optionalNumber(8).map(CommitVersion.init(bitPattern:)),
            origin: ActionOrigin(file: row.text(9), line: Int(row.number(10))),
            time: row.optionalNumber(11).map(Timestamp.init(nanosecondsSince1970:)))
        guard entry.checksum == UInt64(bitPattern: row.number(12)) else {
            throw .damaged(entry: version, "its checksum is wrong")
        }
        return entry
    }

    static func id(_ bytes: UnsafeRawBufferPointer) -> EntryID? {
        guard bytes.count == 16 else { return nil }
        return EntryID(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}

enum SnapshotRow {
    static let columns = "version, schema, fingerprint, payload, checksum"
    static let table = """
        CREATE TABLE snapshot (
            version INTEGER PRIMARY KEY, schema INTEGER NOT NULL, fingerprint INTEGER NOT NULL,
            payload BLOB NOT NULL, checksum INTEGER NOT NULL) STRICT
        """

    static func bind(_ snapshot: JournalSnapshot, to row: Statement) {
        row.bind(Int64(bitPattern: snapshot.version), at: 1)
        row.bind(Int64(snapshot.schema), at: 2)
        row.bind(Int64(bitPattern: snapshot.fingerprint.rawValue), at: 3)
        snapshot.payload.withUnsafeBytes { row.bind($0, at: 4) }
        row.bind(Int64(bitPattern: snapshot.checksum), at: 5)
    }

    static func snapshot(of row: Statement) throws(JournalError) -> JournalSnapshot {
        let snapshot = JournalSnapshot(
            version: CommitVersion(bitPattern: row.number(0)), schema: Int(row.number(1)),
            fingerprint: FeatureFingerprint(rawValue: UInt64(bitPattern: row.number(2))),
            payload: row.bytes(3))
        guard snapshot.checksum == UInt64(bitPattern: row.number(4)) else {
            throw .damaged(snapshot: snapshot.version)
        }
        return snapshot
    }
}
#endif
