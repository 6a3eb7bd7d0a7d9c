// SPDX-License-Identifier: MIT
#if SQLite

import Foundation
import Onward
import OnwardJournal
import OnwardSQLite
import OnwardTesting
import Testing

/// A folder of its own, which goes with the test.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/onward-sqlite-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String = "test.journal") -> String { path + "/" + name }

    /// What the files have that begin with a name.
    func bytes(of name: String = "test.journal") throws -> Data {
        try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.hasPrefix(name) }.sorted()
            .reduce(Data()) { try $0 + Data(contentsOf: URL(filePath: path + "/" + $1)) }
    }
}

func entries(_ versions: ClosedRange<CommitVersion>, payload: [UInt8] = [1, 2, 3]) -> [JournalEntry]
{
    versions.map {
        JournalEntry(
            version: $0, id: EntryID(high: 7, low: $0), name: "Shop/add", payload: payload,
            origin: ActionOrigin(file: "Shop/Main.swift", line: 12),
            time: Timestamp(nanosecondsSince1970: Int64($0)))
    }
}

func position(_ version: CommitVersion) -> JournalPosition {
    version == 0 ? .start : JournalPosition(version: version, id: EntryID(high: 7, low: version))
}

func snapshot(_ version: CommitVersion, _ payload: [UInt8] = [9]) -> JournalSnapshot {
    JournalSnapshot(
        version: version, fingerprint: FeatureFingerprint(rawValue: 1), payload: payload)
}

/// What a call throws; nil where it succeeds.
func failure(_ call: () async throws -> Void) async -> JournalError? {
    do {
        try await call()
        return nil
    } catch {
        return error as? JournalError
    }
}

struct SQLiteJournalContractTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Sendable
    private func journal() async throws -> SQLiteJournal {
        try await SQLiteJournal(at: folder.file(UUID().uuidString))
    }

    @Sendable
    private func elaborateJournal() async throws -> SQLiteJournal {
        var options = SQLiteJournalOptions()
        options.durability = .synced
        options.keepsMark = true
        options.transform = PayloadTransform("flip", write: { $0.map(~) }, read: { $0.map(~) })
        return try await SQLiteJournal(at: folder.file(UUID().uuidString), options: options)
    }

    @Test func `keeps the contract of journals`() async throws {
        try await JournalContract.check { try await journal() }
    }

    @Test func `keeps the contract when synced, marked and transformed`() async throws {
        try await JournalContract.check { try await elaborateJournal() }
    }

    @Test func `loses, doubles and tears nothing while calls fail and another writer appends`()
        async throws
    {
        try await JournalContract.checkDisturbed { try await journal() }
    }
}

private struct Tally: Codable, Sendable { var ticks = 0 }
private struct Tick: Action, Codable {}

struct SQLiteJournalTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `is there again when it is opened again`() async throws {
        let journal = try await SQLiteJournal(at: folder.file())
        try await journal.append(entries(1...100), after: .start)
        try await journal.store(snapshot(50))
        await journal.close()

        let next = try await SQLiteJournal(at: folder.file())
        #expect(try await next.lastPosition() == position(100))
        #expect(try await next.entries(from: 1, limit: .max) == entries(1...100))
        #expect(try await next.snapshot(at: 100) == snapshot(50))
        await next.close()
    }

    @Test func `knows its end when all entries are truncated`() async throws {
        let journal = try await SQLiteJournal(at: folder.file())
        try await journal.append(entries(1...10), after: .start)
        try await journal.store(snapshot(10))
        try await journal.truncate(before: 11)
        await journal.close()

        let next = try await SQLiteJournal(at: folder.file())
        #expect(try await next.lastPosition() == position(10))
        try await next.append(entries(11...11), after: position(10))
        await next.close()
    }

    @Test
    func `no byte of an open journal has what was truncated, or a snapshot that was replaced`()
        async throws
    {
        let journal = try await SQLiteJournal(at: folder.file())
        let texts = ["an entry of a secret", "a state with a secret"].map { Array($0.utf8) }
        let entry = JournalEntry(version: 1, name: "A", payload: texts[0])
        try await journal.append([entry], after: .start)
        try await journal.store(
            JournalSnapshot(
                version: 1, fingerprint: FeatureFingerprint(rawValue: 1), payload: texts[1]))
        for text in texts { #expect(try await journal.stores(anyOf: [text])) }
        try await journal.append([JournalEntry(version: 2, name: "A")], after: entry.position)
        try await journal.store(snapshot(2))
        try await journal.truncate(before: 3)
        for text in texts { #expect(try await !journal.stores(anyOf: [text])) }
        await journal.close()
    }

    @Test func `a clock that goes back changes neither the order nor the state`() async throws {
        let seconds = Guarded<[Int64]>([100, 50, 70, 10, 90, 20])
        var storeOptions = StoreOptions()
        storeOptions.wallClock = {
            let second = seconds.withValue { $0.count > 1 ? $0.removeFirst() : $0.first ?? 0 }
            return Timestamp(nanosecondsSince1970: second * 1_000_000_000)
        }
        var options = PersistenceOptions<Tally>()
        options.recording.snapshotSpacing = 2
        options.retention = .recent(.seconds(30))
        for run in 0..<3 {
            let app = try await Persistence(
                of: Tally(), in: SQLiteJournal(at: folder.file()), options: options,
                storeOptions: storeOptions
            ) {
                Reduce { (tally: inout Tally, _: Tick) in tally.ticks += 1 }
            }
            #expect(app.store.state.ticks == 4 * run)
            #expect(app.restored.version == CommitVersion(4 * run))
            for _ in 0..<4 { try await app.dispatch(Tick()) }
            try await app.shutdown()
        }
    }

    @Test func `refuses a second writer and names the first`() async throws {
        let journal = try await SQLiteJournal(at: folder.file())
        let error = await failure { _ = try await SQLiteJournal(at: folder.file()) }
        #expect(error?.code == .locked)
        #expect(error?.description.contains("another journal object of this process") == true)
        await journal.close()
        await (try SQLiteJournal(at: folder.file())).close()
    }

    #if os(Linux)
    @Test func `is free once it is closed, though a program that was started has its descriptors`()
        async throws
    {
        let journal = try await SQLiteJournal(at: folder.file())
        let name = folder.file() + "-writer"
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let file = files.first {
            let file = "/proc/self/fd/\($0)"
            return (try? FileManager.default.destinationOfSymbolicLink(atPath: file)) == name
        }
        let copy = dup(try #require(file.flatMap { CInt($0) }))
        defer { close(copy) }
        await journal.close()
        await (try SQLiteJournal(at: folder.file())).close()
    }
    #endif

    @Test func `has readers while it is written`() async throws {
        let journal = try await SQLiteJournal(at: folder.file())
        try await journal.append(entries(1...3), after: .start)
        let reader = try await SQLiteJournal(reading: folder.file())
        #expect(try await reader.entries(from: 1, limit: .max) == entries(1...3))
        let next = Task { try await reader.wait(after: 3) }
        try await journal.append(entries(4...4), after: position(3))
        try await next.value
        #expect(try await reader.lastVersion() == 4)
        let error = await failure { try await reader.append(entries(5...5), after: position(4)) }
        #expect(error?.code == .unwritable)
        await reader.close()
        await journal.close()
    }

    @Test func `says what is no journal, and leaves it as it is`() async throws {
        try Data("Dear diary".utf8).write(to: URL(filePath: folder.file("diary")))
        #expect(
            await failure { _ = try await SQLiteJournal(at: folder.file("diary")) }?.code
                == .foreign)
        #expect(
            await failure { _ = try await SQLiteJournal(reading: folder.file("none")) }?.code
                == .unwritable)
        #expect(
            await failure { _ = try await SQLiteJournal(at: folder.path + "/none/at/all") }?.code
                == .unwritable)
        #expect(
            try Data(contentsOf: URL(filePath: folder.file("diary"))) == Data("Dear diary".utf8))
    }
}
#endif
