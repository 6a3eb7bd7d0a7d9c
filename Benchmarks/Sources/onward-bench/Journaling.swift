// SPDX-License-Identifier: MIT

import Foundation
import GRDBSQLite
import Onward
import OnwardJournal
import OnwardSQLite
import Workloads

/// What a journal on disk costs, beside what SQLite and the disk cost themselves.
enum Journaling {
    private struct Board: Codable, Equatable, Sendable { var total = 0 }
    private enum BoardAction: Action, Codable {
        static var actionName: String { "BoardAction" }
        case toggle(id: Int)
    }

    @FeatureBuilder<Board>
    private static func features() -> [any Part<Board>] {
        Reduce { (board: inout Board, action: BoardAction) in
            switch action {
            case .toggle(let id): board.total &+= id
            }
        }
    }

    private static func entries(_ versions: Range<CommitVersion>) -> [JournalEntry] {
        versions.map {
            JournalEntry(
                version: $0, id: EntryID(high: 7, low: $0), name: "BoardAction/toggle",
                payload: DataFormat.cbor.bytes(of: ["id": .integer(Int64($0))]),
                origin: ActionOrigin(file: "Board/Main.swift", line: 12),
                time: Timestamp(nanosecondsSince1970: Int64($0)))
        }
    }

    /// J1: writing.
    static func writing() async -> String {
        do {
            let folder = try Folder()
            let count: CommitVersion = 200_000
            let batch: CommitVersion = 256
            let all = stride(from: 1, to: count + 1, by: CommitVersion.Stride(batch)).map { start in
                entries(start..<min(start + batch, count + 1))
            }
            let raw = try RawFile(folder.path + "/raw")
            let rawTime = try ContinuousClock().measure {
                for batch in all { try raw.insert(batch) }
            }
            raw.close()

            let path = folder.path + "/journal"
            let journal = try await SQLiteJournal(at: path)
            var end = JournalPosition.start
            let time = try await ContinuousClock().measure {
                for batch in all {
                    try await journal.append(batch, after: end)
                    end = batch.last?.position ?? end
                }
            }
            try await journal.compact()
            await journal.close()
            let size = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
            let dispatches = try await dispatching(in: folder)
            let durable = try await durable(in: folder)
            return """
                J1: appending takes \(each(time, Int(count))) ns an entry, raw prepared inserts \
                \(each(rawTime, Int(count))) ns: \(Int(100 * (rawTime / time))) % of their rate (limit: at \
                least 50 %). \(size / Int(count)) bytes an entry, \(size / Int(count)) MB for a million. \
                \(dispatches) \(durable)
                """
        } catch {
            return "J1: \(error)"
        }
    }

    /// What is added to a dispatch.
    private static func dispatching(in folder: Folder) async throws -> String {
        let count = 50_000
        func dispatchAll(_ store: Store<Board>) -> Duration {
            processorTime {
                for number in 0..<count { store.dispatch(BoardAction.toggle(id: number)) }
            }
        }
        var (plain, kept): ([Duration], [Duration]) = ([], [])
        for round in 0..<5 {
            plain.append(dispatchAll(Store(Board(), features)))
            var options = PersistenceOptions<Board>()
            options.recording.waitingBytes = .max
            let app = try await Persistence(
                of: Board(), in: SQLiteJournal(at: folder.path + "/kept\(round)"), options: options,
                features)
            kept.append(dispatchAll(app.store))
            try await app.shutdown()
        }
        let (one, other) = (plain.sorted()[2], kept.sorted()[2])
        return
            "A dispatch takes \(each(one, count)) ns, and \(each(other - one, count)) ns more with a "
            + "journal (limit: 400)."
    }

    /// How many awaited dispatches a second, each synced, beside bare syncs.
    private static func durable(in folder: Folder) async throws -> String {
        let syncs = 200
        let file = open(folder.path + "/syncs", O_RDWR | O_CREAT, 0o600)
        let page = [UInt8](repeating: 7, count: 4_096)
        let bare = ContinuousClock().measure {
            for number in 0..<syncs {
                _ = pwrite(file, page, page.count, off_t(number * page.count))
                fsync(file)
            }
        }
        close(file)
        var options = SQLiteJournalOptions()
        options.durability = .synced
        let app = try await Persistence(
            of: Board(), in: SQLiteJournal(at: folder.path + "/synced", options: options), features)
        let alone = try await ContinuousClock().measure {
            for number in 0..<syncs { try await app.dispatch(BoardAction.toggle(id: number)) }
        }
        let callers = 100
        let together = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<callers {
                    group.addTask {
                        for number in 0..<20 {
                            try await app.dispatch(BoardAction.toggle(id: number))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        try await app.shutdown()
        return """
            Synced: \(rate(alone, syncs)) dispatches a second by one caller, \
            \(rate(together, callers * 20)) by \(callers); bare fsyncs: \(rate(bare, syncs)) a second.
            """
    }

    /// J2: opening and replaying a million entries.
    static func opening() async -> String {
        do {
            let folder = try Folder()
            let path = folder.path + "/million"
            let count: CommitVersion = 1_000_000
            let journal = try await SQLiteJournal(at: path)
            var end = JournalPosition.start
            for start in stride(from: 1, to: count + 1, by: 2_000) {
                let batch = entries(start..<(start + 2_000))
                try await journal.append(batch, after: end)
                end = batch.last?.position ?? end
            }
            await journal.close()
            func open() async throws -> (Duration, Persistence<Board>) {
                let start = ContinuousClock.now
                let app = try await Persistence(
                    of: Board(), in: SQLiteJournal(at: path), features)
                return (ContinuousClock.now - start, app)
            }
            let (replaying, first) = try await open()
            try await first.shutdown()
            // The store has left a snapshot; as many entries follow as there usually are between two.
            let writer = try await SQLiteJournal(at: path)
            try await writer.append(entries((count + 1)..<(count + 10_001)), after: end)
            await writer.close()
            let (opening, second) = try await open()
            try await second.shutdown()
            return """
                J2: a journal of a million entries opens in \(milliseconds(opening)) ms with a snapshot \
                10,000 entries before its end (limit: 1,000), and in \(milliseconds(replaying)) ms without: \
                \(rate(replaying, Int(count))) entries a second, decoding included (limit: at least 250,000).
                """
        } catch {
            return "J2: \(error)"
        }
    }

    /// J3: journals of many stores in one folder.
    static func many() async -> String {
        do {
            let few = try await stores(500)
            let many = try await stores(10_000)
            return """
                J3: of 10,000 stores' journals, an append to any of them takes \(many.append) µs where the \
                file is closed (of 500: \(few.append)), making one \(many.make) µs (\(few.make)), finding \
                out which are unused \(many.sweep) ms; at most \(many.open) files were open, with \
                \(many.descriptors) descriptors of the process.
                """
        } catch {
            return "J3: \(error)"
        }
    }

    private struct StoreCosts {
        let make, append, sweep, open, descriptors: Int
    }

    private static func stores(_ count: Int) async throws -> StoreCosts {
        let folder = try Folder()
        let journals = try SQLiteJournals(in: folder.path + "/stores", openLimit: 32)
        var all: [any Journal] = []
        let making = try await ContinuousClock().measure {
            for number in 0..<count {
                let journal = try await journals.journal(named: "store-\(number)")
                try await journal.append(entries(1..<2), after: .start)
                all.append(journal)
            }
        }
        // Each in its turn, so that its file was closed long ago.
        let appends = min(count, 2_000)
        let step = count / appends
        var (open, descriptors) = (0, 0)
        let appending = try await ContinuousClock().measure {
            for number in 0..<appends {
                let first = entries(1..<2)[0].position
                try await all[number * step].append(entries(2..<3), after: first)
                if number.isMultiple(of: 100) {
                    open = max(open, await journals.openCount)
                    let files = try? FileManager.default.contentsOfDirectory(
                        atPath: "/proc/self/fd")
                    descriptors = max(descriptors, files?.count ?? 0)
                }
            }
        }
        let sweeping = try await ContinuousClock().measure {
            try await journals.removeUnused(for: .seconds(3_600))
        }
        await journals.close()
        return StoreCosts(
            make: each(making, count) / 1_000, append: each(appending, appends) / 1_000,
            sweep: milliseconds(sweeping), open: open, descriptors: descriptors)
    }

    private static func each(_ duration: Duration, _ count: Int) -> Int {
        Int(duration / .nanoseconds(1)) / count
    }

    private static func rate(_ duration: Duration, _ count: Int) -> Int {
        Int(Double(count) / (duration / .seconds(1)))
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        Int(duration / .milliseconds(1))
    }
}

/// A folder that goes with the object.
private final class Folder {
    let path = FileManager.default.temporaryDirectory.path + "/onward-bench-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The limit: SQLite's own prepared inserts of the same columns, in one transaction for each batch.
private final class RawFile {
    private struct Failure: Error { let code: CInt }
    private var connection: OpaquePointer?
    private var statement: OpaquePointer?

    init(_ path: String) throws {
        try check(sqlite3_open(path, &connection))
        for sql in [
            "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL",
            """
            CREATE TABLE entry (
                version INTEGER PRIMARY KEY, id BLOB NOT NULL, kind INTEGER NOT NULL,
                epoch INTEGER NOT NULL, name TEXT NOT NULL, schema INTEGER NOT NULL,
                payload BLOB NOT NULL, address TEXT NOT NULL, parent INTEGER, file TEXT NOT NULL,
                line INTEGER NOT NULL, time INTEGER, checksum INTEGER NOT NULL) STRICT
            """,
        ] {
            try check(sqlite3_exec(connection, sql, nil, nil, nil))
        }
        try check(
            sqlite3_prepare_v2(
                connection, "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", -1,
                &statement, nil))
    }

    func insert(_ entries: [JournalEntry]) throws {
        try check(sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil))
        for entry in entries {
            let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            sqlite3_bind_int64(statement, 1, Int64(entry.version))
            _ = withUnsafeBytes(of: (entry.id.high, entry.id.low)) {
                sqlite3_bind_blob(statement, 2, $0.baseAddress, 16, copied)
            }
            sqlite3_bind_int64(statement, 3, 1)
            sqlite3_bind_int64(statement, 4, 0)
            sqlite3_bind_text(statement, 5, entry.name, -1, copied)
            sqlite3_bind_int64(statement, 6, 1)
            _ = entry.payload.withUnsafeBytes {
                sqlite3_bind_blob(statement, 7, $0.baseAddress, CInt($0.count), copied)
            }
            sqlite3_bind_text(statement, 8, "", 0, copied)
            sqlite3_bind_null(statement, 9)
            sqlite3_bind_text(statement, 10, entry.origin.file, -1, copied)
            sqlite3_bind_int64(statement, 11, Int64(entry.origin.line))
            sqlite3_bind_int64(statement, 12, entry.time?.nanosecondsSince1970 ?? 0)
            sqlite3_bind_int64(statement, 13, 7)
            guard sqlite3_step(statement) == SQLITE_DONE else { throw Failure(code: SQLITE_ERROR) }
            sqlite3_reset(statement)
        }
        try check(sqlite3_exec(connection, "COMMIT", nil, nil, nil))
    }

    func close() {
        sqlite3_finalize(statement)
        sqlite3_close(connection)
    }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else { throw Failure(code: code) }
    }
}
