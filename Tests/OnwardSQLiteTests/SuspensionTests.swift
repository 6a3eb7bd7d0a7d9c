// SPDX-License-Identifier: MIT
#if SQLite

import Foundation
import Onward
import OnwardJournal
import OnwardSQLite
import Testing

private struct Tally: Codable, Sendable { var ticks = 0 }
private struct Tick: Action, Codable {}

/// While an app is suspended, its journals hold no lock.
struct SuspensionTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func app(_ journal: some Journal) async throws -> Persistence<Tally> {
        var options = PersistenceOptions<Tally>()
        options.recording.report = { _ in }
        return try await Persistence(of: Tally(), in: journal, options: options) {
            Reduce { (tally: inout Tally, _: Tick) in tally.ticks += 1 }
        }
    }

    #if os(Linux)
    /// The locks of this process on the files of the folder, by its descriptors: other tests change the system's list
    /// while it is read.
    private func locks() throws -> Int {
        let files = FileManager.default
        let open = try files.contentsOfDirectory(atPath: "/proc/self/fd").filter { descriptor in
            let file = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + descriptor)
            return file?.hasPrefix(folder.path + "/") == true
        }
        return open.reduce(0) { count, descriptor in
            let facts = try? String(
                contentsOfFile: "/proc/self/fdinfo/" + descriptor, encoding: .utf8)
            return count + (facts?.split(separator: "\n").count { $0.hasPrefix("lock:") } ?? 0)
        }
    }

    @Test func `a suspended journal holds no lock, and takes them up again`() async throws {
        let app = try await app(SQLiteJournal(at: folder.file()))
        try await app.dispatch(Tick())
        #expect(try locks() > 0)
        try await app.suspend()
        #expect(try locks() == 0)
        try await app.resume()
        #expect(try locks() > 0)
        try await app.dispatch(Tick())
        try await app.shutdown()
        #expect(try locks() == 0)
    }

    @Test func `the journals of a folder hold no lock either, nor the folder`() async throws {
        let journals = try SQLiteJournals(in: folder.path)
        let apps = [
            try await app(journals.journal(named: "one")),
            try await app(journals.journal(named: "two")),
        ]
        for app in apps { try await app.dispatch(Tick()) }
        await journals.suspend()
        #expect(try locks() == 0)
        for app in apps { app.store.dispatch(Tick()) }
        #expect(try locks() == 0)
        try await journals.resume()
        for app in apps {
            try await app.flush()
            #expect(app.status.version == 2)
            try await app.shutdown()
        }
        await journals.close()
    }
    #endif

    @Test func `what is dispatched while it is suspended is written afterwards, and once`()
        async throws
    {
        let app = try await app(SQLiteJournal(at: folder.file()))
        try await app.dispatch(Tick())
        try await app.suspend()
        try await app.suspend()
        for _ in 1...500 { app.store.dispatch(Tick()) }
        let waiting = Task { try await app.dispatch(Tick()) }
        #expect(app.store.state.ticks >= 501)
        try await app.resume()
        try await app.resume()
        #expect(try await waiting.value.version != nil)
        try await app.shutdown()
        let reader = try await SQLiteJournal(reading: folder.file())
        #expect(try await reader.lastVersion() == 502)
        await reader.close()
    }

    @Test func `a shutdown while it is suspended writes everything, or says why not`() async throws
    {
        let app = try await app(SQLiteJournal(at: folder.file()))
        try await app.suspend()
        for _ in 1...10 { app.store.dispatch(Tick()) }
        try await app.suspend()
        try await app.shutdown()
        let next = try await self.app(SQLiteJournal(at: folder.file()))
        #expect(next.store.state.ticks == 10)
        try await next.suspend()
        next.store.dispatch(Tick())
        let other = try await SQLiteJournal(at: folder.file())
        #expect(await failure { try await next.shutdown() }?.code == .locked)
        #expect(try await other.lastVersion() == 10)
        await other.close()
    }

    @Test func `another program may write meanwhile, and then goes first`() async throws {
        let journal = try await SQLiteJournal(at: folder.file())
        try await journal.append(entries(1...1), after: .start)
        await journal.suspend()
        let other = try await SQLiteJournal(at: folder.file())
        #expect(await failure { try await journal.resume() }?.code == .locked)
        try await other.append(entries(2...2), after: position(1))
        await other.close()
        let reader = Task { try await journal.wait(after: 1) }
        try await journal.resume()
        try await reader.value
        #expect(
            await failure { try await journal.append(entries(2...2), after: position(1)) }?.code
                == .conflict)
        try await journal.append(entries(3...3), after: position(2))
        await journal.close()
    }

    @Test
    func `what another program has written meanwhile stays, and a store that resumes says so`()
        async throws
    {
        let app = try await app(SQLiteJournal(at: folder.file()))
        try await app.dispatch(Tick())
        try await app.suspend()
        let other = try await self.app(SQLiteJournal(at: folder.file()))
        for _ in 1...5 { try await other.dispatch(Tick()) }
        try await other.shutdown()
        app.store.dispatch(Tick())
        try await app.resume()
        #expect(await failure { try await app.flush() }?.code == .conflict)
        #expect(await failure { try await app.dispatch(Tick()) }?.code == .conflict)
        #expect(await failure { try await app.shutdown() }?.code == .conflict)
        let next = try await self.app(SQLiteJournal(at: folder.file()))
        #expect(next.store.state.ticks == 6)
        try await next.shutdown()
    }

    @Test func `a file that was replaced while it was suspended is gone`() async throws {
        let journal = try await SQLiteJournal(at: folder.file())
        try await journal.append(entries(1...1), after: .start)
        await journal.suspend()
        try FileManager.default.moveItem(atPath: folder.file(), toPath: folder.file("away"))
        #expect(await failure { try await journal.resume() }?.code == .gone)
        #expect(!FileManager.default.fileExists(atPath: folder.file()))
        try FileManager.default.moveItem(atPath: folder.file("away"), toPath: folder.file())
        try await journal.resume()
        #expect(try await journal.lastVersion() == 1)
        await journal.close()
    }

    @Test func `closing a suspended journal ends the calls that wait`() async throws {
        let journal = try await SQLiteJournal(at: folder.file())
        await journal.suspend()
        let calls = (0..<3).map { _ in
            Task { await failure { _ = try await journal.lastPosition() }?.code }
        }
        await journal.close()
        for call in calls { #expect(await call.value == .closed) }
        #expect(await failure { try await journal.resume() }?.code == .closed)
        let journals = try SQLiteJournals(in: folder.file("many"))
        let named = try await journals.journal(named: "one")
        await named.suspend()
        let call = Task { await failure { _ = try await named.lastPosition() }?.code }
        await named.close()
        #expect(await call.value == .closed)
        await journals.close()
    }
}
#endif
