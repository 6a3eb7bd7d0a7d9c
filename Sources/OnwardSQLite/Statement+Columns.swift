// SPDX-License-Identifier: MIT
#if SQLite

internal import GRDB
internal import GRDBSQLite
internal import Onward
internal import OnwardJournal

/// What journals bind and read, without a box for each value: an entry has thirteen.
extension Statement {
    func bind(_ number: Int64?, at index: CInt) {
        if let number {
            sqlite3_bind_int64(sqliteStatement, index, number)
        } else {
            sqlite3_bind_null(sqliteStatement, index)
        }
    }

    func bind(_ text: String, at index: CInt) {
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                _ = sqlite3_bind_text(
                    sqliteStatement, index, characters.baseAddress ?? Self.nothing,
                    CInt(characters.count), Self.copied)
            }
        }
    }

    func bind(_ bytes: UnsafeRawBufferPointer, at index: CInt) {
        if let address = bytes.baseAddress, !bytes.isEmpty {
            sqlite3_bind_blob64(
                sqliteStatement, index, address, sqlite3_uint64(bytes.count), Self.copied)
        } else {
            sqlite3_bind_zeroblob(sqliteStatement, index, 0)
        }
    }

    /// Runs a statement that returns no row.
    func run(_ db: Database) throws {
        defer { sqlite3_reset(sqliteStatement) }
        guard sqlite3_step(sqliteStatement) == SQLITE_DONE else { throw failure(db) }
    }

    /// Goes to the next row; false, and the statement is reset, when there is none.
    func step(_ db: Database) throws -> Bool {
        switch sqlite3_step(sqliteStatement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(sqliteStatement)
            return false
        default:
            defer { sqlite3_reset(sqliteStatement) }
            throw failure(db)
        }
    }

    func end() { sqlite3_reset(sqliteStatement) }

    private func failure(_ db: Database) -> DatabaseError {
        let code = ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection))
        return DatabaseError(
            resultCode: code,
            message: sqlite3_errmsg(db.sqliteConnection).map(String.init(cString:)))
    }

    func isNull(_ index: CInt) -> Bool {
        sqlite3_column_type(sqliteStatement, index) == SQLITE_NULL
    }

    func number(_ index: CInt) -> Int64 { sqlite3_column_int64(sqliteStatement, index) }

    func optionalNumber(_ index: CInt) -> Int64? { isNull(index) ? nil : number(index) }

    func text(_ index: CInt) -> String {
        guard let bytes = sqlite3_column_text(sqliteStatement, index) else { return "" }
        let count = Int(sqlite3_column_bytes(sqliteStatement, index))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func bytes(_ index: CInt) -> [UInt8] { Array(rawBytes(index)) }

    /// Valid until the next step.
    func rawBytes(_ index: CInt) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: sqlite3_column_blob(sqliteStatement, index),
            count: Int(sqlite3_column_bytes(sqliteStatement, index)))
    }

    /// Has SQLite copy what it is given, as SQLITE_TRANSIENT of its C header does.
    private static var copied: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    /// Where an empty text begins.
    private static var nothing: UnsafePointer<CChar>? { UnsafePointer(bitPattern: 1) }
}
#endif
