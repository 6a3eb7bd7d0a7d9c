// SPDX-License-Identifier: MIT
#if SQLite

import Foundation
import Onward
import OnwardJournal
import Testing

@testable import OnwardSQLite

private struct Tally: Codable, Sendable { var ticks = 0 }
private struct Tick: Action, Codable {}

/// Nothing is acknowledged that isn't in the file of the journal's name.
struct PresenceTests {
    /// What happens to the files of a journal that is open.
    enum Event: CaseIterable, Sendable {
        case fileDeleted, fileRenamed, fileReplaced, logDeleted, logRenamed, logReplaced
        case logEmptied, logCut, logOverwritten, fileEmptied
        case allDeleted, folderRenamed, folderDeleted, folderReplaced, folderIsFile

        func happen(to folder: String, _ name: String = "test.journal") throws {
            let (files, file) = (FileManager.default, folder + "/" + name)
            switch self {
            case .fileDeleted: try files.removeItem(atPath: file)
            case .fileRenamed: try files.moveItem(atPath: file, toPath: file + "-away")
            case .fileReplaced: try replace(file)
            case .logDeleted: try files.removeItem(atPath: file + "-wal")
            case .logRenamed:
                try files.moveItem(atPath: file + "-wal", toPath: file + "-away")
            case .logReplaced: try replace(file + "-wal")
            case .logEmptied: #expect(truncate(file + "-wal", 0) == 0)
            case .fileEmptied: #expect(truncate(file, 0) == 0)
            case .logCut: #expect(truncate(file + "-wal", 4_000) == 0)
            case .logOverwritten:
                let log = try FileHandle(forUpdating: URL(filePath: file + "-wal"))
                try log.write(contentsOf: Data(count: 32))
                try log.close()
            case .allDeleted:
                for suffix in ["", "-wal", "-shm", "-writer"] {
                    try files.removeItem(atPath: file + suffix)
                }
            case .folderRenamed: try files.moveItem(atPath: folder, toPath: folder + "-away")
            case .folderDeleted: try files.removeItem(atPath: folder)
            case .folderReplaced:
                try files.copyItem(atPath: folder, toPath: folder + "-copy")
                try files.moveItem(atPath: folder, toPath: folder + "-away")
                try files.moveItem(atPath: folder + "-copy", toPath: folder)
            case .folderIsFile:
                try files.moveItem(atPath: folder, toPath: folder + "-away")
                try Data().write(to: URL(filePath: folder))
            }
        }

        var changesLog: Bool {
            switch self {
            case .logEmptied, .logCut, .logOverwritten, .fileEmptied: true
            default: false
            }
        }

        private func replace(_ file: String) throws {
            try FileManager.default.copyItem(atPath: file, toPath: file + "-copy")
            #expect(rename(file + "-copy", file) == 0)
        }
    }

    private let root: Folder
    private let folder: String
    private var file: String { folder + "/test.journal" }

    init() throws {
        root = try Folder()
        folder = root.path + "/journals"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
    }

    @Test(arguments: Event.allCases)
    func `no call succeeds once the file is gone`(event: Event) async throws {
        let journal = try await SQLiteJournal(at: file)
        try await journal.append(entries(1...2), after: .start)
        try await journal.store(snapshot(1))
        try event.happen(to: folder)
        for _ in 0..<2 {
            let append = await failure {
                try await journal.append(entries(3...3), after: position(2))
            }
            #expect(append?.code == .gone)
            let what =
                event.changesLog ? "cut, emptied or overwritten" : "deleted, renamed or replaced"
            #expect(append?.description.contains(what) == true)
            #expect(await failure { _ = try await journal.lastPosition() }?.code == .gone)
            #expect(await failure { try await journal.store(snapshot(2)) }?.code == .gone)
            #expect(await failure { try await journal.truncate(before: 2) }?.code == .gone)
            #expect(
                await failure { _ = try await journal.entries(from: 1, limit: 1) }?.code == .gone)
        }
        await journal.close()
    }

    @Test(arguments: Event.allCases, [PersistenceOptions<Int>.Failure.resume, .end])
    func `no dispatch is acknowledged once the file is gone`(
        event: Event, policy: PersistenceOptions<Int>.Failure
    ) async throws {
        var options = PersistenceOptions<Tally>()
        options.whenFailing = policy == .resume ? .resume : .end
        let reports = Guarded<[JournalError.Code]>([])
        options.recording.report = { error in reports.withValue { $0.append(error.code) } }
        let app = try await Persistence(
            of: Tally(), in: SQLiteJournal(at: file), options: options
        ) {
            Reduce { (tally: inout Tally, _: Tick) in tally.ticks += 1 }
        }
        for _ in 1...3 { try await app.dispatch(Tick()) }
        try event.happen(to: folder)
        for _ in 1...3 { #expect(await failure { try await app.dispatch(Tick()) }?.code == .gone) }
        #expect(await failure { try await app.flush() }?.code == .gone)
        #expect(app.store.state.ticks == 6)
        #expect(await failure { try await app.shutdown() }?.code == .gone)
        #expect(Set(reports.withValue { $0 }).isSubset(of: [.gone]))
    }

    // SQLite writes on behind the end that it knows of, so a cut in the middle of a call leaves the size as it was.
    @Test(arguments: Event.allCases.filter { $0 != .logCut })
    func `an append during which the file goes is not acknowledged`(event: Event) async throws {
        let isArmed = Guarded(false)
        let folder = folder
        var options = SQLiteJournalOptions()
        options.transform = PayloadTransform(
            "deletes",
            write: { payload in
                if isArmed.withValue({ $0 }) { try event.happen(to: folder) }
                return payload
            }, read: { $0 })
        let journal = try await SQLiteJournal(at: file, options: options)
        try await journal.append(entries(1...1), after: .start)
        isArmed.withValue { $0 = true }
        let error = await failure { try await journal.append(entries(2...2), after: position(1)) }
        #expect(error?.code == .gone)
        #expect(await failure { _ = try await journal.lastPosition() }?.code == .gone)
        await journal.close()
    }

    @Test(arguments: [Event.logEmptied, .logCut, .logOverwritten])
    func `a journal whose log was changed can be opened again, with what its file has`(event: Event)
        async throws
    {
        let first = try await SQLiteJournal(at: file)
        try await first.append(entries(1...2), after: .start)
        await first.close()
        let journal = try await SQLiteJournal(at: file)
        try await journal.append(entries(3...3), after: position(2))
        try event.happen(to: folder)
        for _ in 0..<2 {
            #expect(
                await failure { try await journal.append(entries(4...4), after: position(3)) }?.code
                    == .gone)
        }
        await journal.close()
        let next = try await SQLiteJournal(at: file)
        #expect(try await next.entries(from: 1, limit: .max) == entries(1...2))
        try await next.append(entries(3...4), after: position(2))
        await next.close()
    }

    @Test func `SQLite may empty its log, begin it anew and go on, and does nothing else`() {
        // As SQLite 3.40 has written it.
        let header: [UInt8] = [
            0x37, 0x7f, 0x06, 0x82, 0x00, 0x2d, 0xe2, 0x18, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00,
            0x00, 0x00,
            0xf5, 0xf2, 0x80, 0x77, 0x66, 0xee, 0xe3, 0x34, 0x4c, 0x67, 0xf6, 0x08, 0x39, 0x33,
            0xbc, 0x13,
        ]
        let empty = LogLook(size: 0, header: [])
        let (short, long) = (
            LogLook(size: 4_152, header: header), LogLook(size: 8_272, header: header)
        )
        let other = LogLook(size: 20_000, header: Array(repeating: 7, count: 32))
        #expect(short.canFollow(empty) && long.canFollow(short) && long.canFollow(long))
        #expect(empty.canFollow(long) && short.canFollow(other))
        #expect(!short.canFollow(long))
        // The next beginning, and the one before it, which somebody has put back.
        let next: [UInt8] = [
            0x37, 0x7f, 0x06, 0x82, 0x00, 0x2d, 0xe2, 0x18, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00,
            0x00, 0x01,
            0xaa, 0x8b, 0xd8, 0x7b, 0x12, 0x5f, 0xf7, 0xf4, 0x51, 0xbf, 0x8e, 0xbd, 0xff, 0x9e,
            0xc5, 0x74,
        ]
        #expect(LogLook(size: 4_152, header: next).canFollow(long))
        #expect(!long.canFollow(LogLook(size: 4_152, header: next)))
        for index in header.indices {
            var changed = header
            changed[index] ^= 1
            #expect(!LogLook(size: 8_272, header: changed).canFollow(short))
        }
        #expect(!LogLook(size: 31, header: Array(header.dropLast())).canFollow(empty))
    }

    @Test func `a folder that gets its old name back is used again`() async throws {
        let journal = try await SQLiteJournal(at: file)
        try await journal.append(entries(1...1), after: .start)
        try Event.folderRenamed.happen(to: folder)
        #expect(
            await failure { try await journal.append(entries(2...2), after: position(1)) }?.code
                == .gone)
        try FileManager.default.moveItem(atPath: folder + "-away", toPath: folder)
        #expect(try await journal.lastPosition() == position(1))
        try await journal.append(entries(2...2), after: position(1))
        await journal.close()
        let next = try await SQLiteJournal(at: file)
        #expect(try await next.entries(from: 1, limit: .max) == entries(1...2))
        await next.close()
    }

    @Test func `a reader of a file that is gone doesn't wait for ever`() async throws {
        let journal = try await SQLiteJournal(at: file)
        try await journal.append(entries(1...1), after: .start)
        let reader = try await SQLiteJournal(reading: file)
        try Event.fileReplaced.happen(to: folder)
        #expect(await failure { try await reader.wait(after: 1) }?.code == .gone)
        await reader.close()
        await journal.close()
    }

    @Test func `closing a journal whose file is gone leaves the files of its successor`()
        async throws
    {
        let journal = try await SQLiteJournal(at: file)
        try await journal.append(entries(1...9), after: .start)
        try Event.allDeleted.happen(to: folder)
        let next = try await SQLiteJournal(at: file)
        try await next.append(entries(1...3), after: .start)
        await journal.close()
        #expect(FileManager.default.fileExists(atPath: file + "-wal"))
        try await next.append(entries(4...4), after: position(3))
        await next.close()
        let last = try await SQLiteJournal(at: file)
        #expect(try await last.entries(from: 1, limit: .max) == entries(1...4))
        await last.close()
    }

    @Test func `a lock whose file is gone is taken again, unless somebody else has it`()
        async throws
    {
        let journal = try await SQLiteJournal(at: file)
        try await journal.append(entries(1...1), after: .start)
        try FileManager.default.removeItem(atPath: file + "-writer")
        try await journal.append(entries(2...2), after: position(1))
        #expect(await failure { _ = try await SQLiteJournal(at: file) }?.code == .locked)
        try FileManager.default.removeItem(atPath: file + "-writer")
        let next = try await SQLiteJournal(at: file)
        #expect(
            await failure { try await journal.append(entries(3...3), after: position(2)) }?.code
                == .locked)
        try await next.append(entries(3...3), after: position(2))
        await next.close()
        // Somebody else has appended what is there now.
        #expect(
            await failure { try await journal.append(entries(3...3), after: position(2)) }?.code
                == .conflict)
        await journal.close()
    }

    @Test func `a journal behind a symbolic link is the file that it leads to`() async throws {
        let link = root.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let journal = try await SQLiteJournal(at: link)
        try await journal.append(entries(1...1), after: .start)
        #expect(await failure { _ = try await SQLiteJournal(at: file) }?.code == .locked)
        try FileManager.default.removeItem(atPath: link)
        #expect(
            await failure { try await journal.append(entries(2...2), after: position(1)) }?.code
                == .gone)
        await journal.close()
    }

    @Test func `a journal of many isn't made anew when its file is gone while it is closed`()
        async throws
    {
        let journals = try SQLiteJournals(in: folder, openLimit: 1)
        let first = try await journals.journal(named: "first")
        try await first.append(entries(1...3), after: .start)
        let second = try await journals.journal(named: "second")
        try await second.append(entries(1...1), after: .start)
        let folders = try FileManager.default.subpathsOfDirectory(atPath: folder)
        let file = try #require(folders.first { $0.hasSuffix("first.journal") })
        try FileManager.default.removeItem(atPath: folder + "/" + file)
        #expect(await failure { _ = try await first.lastPosition() }?.code == .gone)
        #expect(
            await failure { try await first.append(entries(4...4), after: position(3)) }?.code
                == .gone)
        #expect(!FileManager.default.fileExists(atPath: folder + "/" + file))
        await first.close()
        let next = try await journals.journal(named: "first")
        #expect(try await next.lastPosition() == .start)
        await journals.close()
    }

    @Test func `a deleted mark is written again`() async throws {
        var options = SQLiteJournalOptions()
        options.keepsMark = true
        let journal = try await SQLiteJournal(at: file, options: options)
        try await journal.append(entries(1...1), after: .start)
        try FileManager.default.removeItem(atPath: file + "-mark")
        try await journal.append(entries(2...2), after: position(1))
        #expect(try Data(contentsOf: URL(filePath: file + "-mark")).count == 40)
        await journal.close()
    }

    @Test func `what the system hides isn't gone, and what it can't say isn't known`() {
        for error in [EACCES, EPERM] { #expect(FileIdentity.look(failing: error) == .hidden) }
        for error in [ENOENT, ENOTDIR, ESTALE, ENODEV, ENXIO, ENOTCONN] {
            #expect(FileIdentity.look(failing: error) == .nothing)
        }
        guard case .unknown = FileIdentity.look(failing: EIO) else {
            Issue.record("an input or output error says nothing of the file")
            return
        }
    }
}
#endif
