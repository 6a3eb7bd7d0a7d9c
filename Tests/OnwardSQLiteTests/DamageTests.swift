// SPDX-License-Identifier: MIT
#if SQLite

import Foundation
import GRDB
import Onward
import OnwardJournal
import OnwardSQLite
import Testing

/// What is wrong with a file is a typed error that says where.
struct DamageTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func write(
        _ count: CommitVersion, _ options: SQLiteJournalOptions = SQLiteJournalOptions()
    ) async throws {
        let journal = try await SQLiteJournal(at: folder.file(), options: options)
        for version in 1...count {
            try await journal.append(entries(version...version), after: position(version - 1))
        }
        await journal.close()
    }

    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: folder.file())
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test func `an entry that was changed is named, and those before it can be read`() async throws
    {
        try await write(10)
        try change("UPDATE entry SET payload = x'00' WHERE version = 6")
        let journal = try await SQLiteJournal(at: folder.file())
        let error = await failure { _ = try await journal.entries(from: 1, limit: .max) }
        #expect(error?.code == .damaged)
        #expect(error?.version == 6)
        #expect(try await journal.entries(from: 1, limit: 5) == entries(1...5))
        await journal.close()
    }

    @Test func `an entry that is missing is named`() async throws {
        try await write(10)
        try change("DELETE FROM entry WHERE version = 4")
        let journal = try await SQLiteJournal(at: folder.file())
        let error = await failure { _ = try await journal.entries(from: 1, limit: .max) }
        #expect(error?.code == .damaged)
        #expect(error?.version == 4)
        await journal.close()
    }

    @Test func `a snapshot that was changed is named`() async throws {
        let journal = try await SQLiteJournal(at: folder.file())
        try await journal.append(entries(1...3), after: .start)
        try await journal.store(snapshot(2))
        await journal.close()
        try change("UPDATE snapshot SET payload = x'00'")
        let next = try await SQLiteJournal(at: folder.file())
        let error = await failure { _ = try await next.snapshot(at: 3) }
        #expect(error?.code == .damaged)
        #expect(error?.version == 2)
        await next.close()
    }

    @Test func `a page that was overwritten is a damage`() async throws {
        try await write(400)
        let handle = try FileHandle(forUpdating: URL(filePath: folder.file()))
        try handle.seek(toOffset: 4_096 * 3)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 4_096 * 4))
        try handle.close()
        let error = await failure {
            let journal = try await SQLiteJournal(at: folder.file())
            _ = try await journal.entries(from: 1, limit: .max)
        }
        #expect(error?.code == .damaged)
    }

    @Test func `a file from a newer version of the library is refused`() async throws {
        try await write(1)
        try change("PRAGMA user_version = 99")
        let error = await failure { _ = try await SQLiteJournal(at: folder.file()) }
        #expect(error?.code == .newer)
        #expect(error?.description.contains("99") == true)
    }

    @Test func `nothing changes in a newer file, or in another program's, not even in its log`()
        async throws
    {
        for isForeign in [false, true] {
            let folder = try Folder()
            let queue = try DatabaseQueue(path: folder.file("made"))
            try await queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA journal_mode = WAL")
                try db.execute(sql: "CREATE TABLE note (text TEXT)")
                try db.execute(sql: "PRAGMA application_id = \(isForeign ? 7 : 0x4F6E_7764)")
                try db.execute(sql: "PRAGMA user_version = 99")
            }
            // As a program leaves it that is killed.
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(
                    atPath: folder.file("made") + suffix, toPath: folder.file() + suffix)
            }
            try queue.close()
            func bytes() throws -> [Data] {
                try ["", "-wal"].map {
                    try Data(contentsOf: URL(filePath: folder.file() + $0))
                }
            }
            let before = try bytes()
            #expect(before[1].count > 4_096)
            for _ in 0..<2 {
                let error = await failure { _ = try await SQLiteJournal(at: folder.file()) }
                #expect(error?.code == (isForeign ? .foreign : .newer))
                let reading = await failure {
                    _ = try await SQLiteJournal(reading: folder.file())
                }
                #expect(reading?.code == error?.code)
                #expect(try bytes() == before)
            }
        }
    }

    @Test func `a torn end is a shorter journal, and with a mark a damage`() async throws {
        var options = SQLiteJournalOptions()
        options.keepsMark = true
        let journal = try await SQLiteJournal(at: folder.file(), options: options)
        for version: CommitVersion in 1...5 {
            try await journal.append(entries(version...version), after: position(version - 1))
        }
        // As the program leaves it that is killed: nothing was brought from the log into the file.
        let copy = try Folder()
        for suffix in ["", "-wal", "-mark"] {
            try FileManager.default.copyItem(
                atPath: folder.file() + suffix, toPath: copy.file() + suffix)
        }
        await journal.close()
        let log = try FileHandle(forUpdating: URL(filePath: copy.file() + "-wal"))
        try log.truncate(atOffset: log.seekToEnd() - 100)
        try log.close()

        let error = await failure {
            _ = try await SQLiteJournal(at: copy.file(), options: options)
        }
        #expect(error?.code == .damaged)
        #expect(error?.version == 4)
        let shorter = try await SQLiteJournal(at: copy.file())
        #expect(try await shorter.entries(from: 1, limit: .max) == entries(1...4))
        await shorter.close()
    }

    @Test
    func `a journal is opened with the transform that wrote it, and its file has no plain payload`()
        async throws
    {
        var options = SQLiteJournalOptions()
        options.transform = PayloadTransform(
            "flip", write: { $0.map(~) }, read: { $0.map(~) })
        let secret = Array("a secret payload".utf8)
        let journal = try await SQLiteJournal(at: folder.file(), options: options)
        try await journal.append(entries(1...9, payload: secret), after: .start)
        #expect(
            try await journal.entries(from: 1, limit: .max) == entries(1...9, payload: secret))
        await journal.close()
        #expect(try folder.bytes().range(of: Data(secret)) == nil)
        let error = await failure { _ = try await SQLiteJournal(at: folder.file()) }
        #expect(error?.code == .unreadable)
        #expect(error?.description.contains("flip") == true)
    }

    @Test func `no byte of the files has what was erased`() async throws {
        let journal = try await SQLiteJournal(at: folder.file())
        let name = DataFormat.cbor.bytes(of: ["name": "Ada Lovelace"])
        let other = DataFormat.cbor.bytes(of: ["name": "Grace Hopper"])
        try await journal.append(entries(1...200, payload: name), after: .start)
        try await journal.append(entries(201...400, payload: other), after: position(200))
        try await journal.store(snapshot(300, name))
        let needle = Data("Ada Lovelace".utf8)
        #expect(try folder.bytes().range(of: needle) != nil)
        #expect(try await journal.erase(.replacing("Ada Lovelace")).versions.count == 200)
        #expect(try folder.bytes().range(of: needle) == nil)
        #expect(try folder.bytes().range(of: Data("Grace Hopper".utf8)) != nil)
        #expect(try await journal.snapshot(at: .max) == nil)
        #expect(try await journal.entries(from: 1, limit: 1).first?.kind == .erased)
        await journal.close()
        #expect(try folder.bytes().range(of: needle) == nil)
    }

    @Test func `a store restored from a file is what it was`() async throws {
        struct Counting: Codable, Equatable, Sendable { var count = 0 }
        struct Step: Action, Codable { var by: Int }
        func open() async throws -> Persistence<Counting> {
            try await Persistence(of: Counting(), in: SQLiteJournal(at: folder.file())) {
                Reduce { (state: inout Counting, step: Step) in state.count += step.by }
            }
        }
        let first = try await open()
        for number in 1...100 { first.store.dispatch(Step(by: number)) }
        try await first.shutdown()
        let second = try await open()
        #expect(second.store.state.count == 5_050)
        try await second.shutdown()
    }
}
#endif
