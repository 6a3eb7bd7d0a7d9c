// SPDX-License-Identifier: MIT
#if SQLite

import Foundation
import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardSQLite

struct OpenFilesTests {
    /// What a step says, in short.
    private func text(_ step: OpenFiles<Int>.Step?) -> String {
        switch step {
        case .use(let file): "use \(file)"
        case .open: "open"
        case .close(let file, let name): "close \(file) of \(name)"
        case .wait: "wait"
        case nil: "nothing"
        }
    }

    @Test func `the file that was used longest ago makes room, none that is in use`() {
        var files = OpenFiles<Int>(limit: 2)
        for (number, name) in ["a", "b"].enumerated() {
            #expect(text(files.begin(name)) == "open")
            files.opened(number, of: name)
        }
        #expect(text(files.begin("c")) == "wait")
        files.end("a")
        files.end("b")
        #expect(text(files.begin("a")) == "use 0")
        files.end("a")
        #expect(text(files.begin("c")) == "close 1 of b")
        #expect(text(files.begin("b")) == "wait")
        files.closed("b")
        #expect(text(files.begin("c")) == "open")
        #expect(files.count == 2)
    }

    @Test func `a file is used by several at once, and is closed for good behind all of them`() {
        var files = OpenFiles<Int>(limit: 2)
        #expect(text(files.retire("a")) == "nothing")
        #expect(text(files.begin("a")) == "open")
        #expect(text(files.begin("a")) == "wait")
        #expect(text(files.retire("a")) == "wait")
        files.opened(7, of: "a")
        #expect(text(files.begin("a")) == "use 7")
        files.end("a")
        #expect(text(files.retire("a")) == "wait")
        files.end("a")
        #expect(text(files.retire("a")) == "close 7 of a")
        files.closed("a")
        #expect(files.count == 0)
    }

    @Test func `a file that can't be opened takes no room`() {
        var files = OpenFiles<Int>(limit: 1)
        #expect(text(files.begin("a")) == "open")
        files.closed("a")
        #expect(text(files.begin("b")) == "open")
    }
}

struct SQLiteJournalsTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func journals(openLimit: Int = 4) throws -> SQLiteJournals {
        try SQLiteJournals(in: folder.path + "/data", openLimit: openLimit)
    }

    /// The files of journals, as paths below the folder.
    private func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/data")
            .filter { $0.hasSuffix(".journal") }
    }

    @Test func `each keeps the contract of journals, with room for all or for one`() async throws {
        for limit in [1, 100] {
            let journals = try SQLiteJournals(in: folder.path + "/\(limit)", openLimit: limit)
            let number = Guarded(0)
            try await JournalContract.check {
                let name = number.withValue { number in
                    number += 1
                    return "journal-\(number)"
                }
                return try await SomeJournal(base: journals.journal(named: name))
            }
            await journals.close()
        }
    }

    @Test func `many stores are written at once through a few open files`() async throws {
        let journals = try journals(openLimit: 3)
        let names = (0..<40).map { "visitor-\($0)" }
        try await withThrowingTaskGroup { group in
            for name in names {
                group.addTask {
                    let journal = try await journals.journal(named: name)
                    for version in 1...5 as ClosedRange<CommitVersion> {
                        try await journal.append(
                            entries(version...version), after: position(version - 1))
                        #expect(await journals.openCount <= 3)
                    }
                }
            }
            try await group.waitForAll()
        }
        await journals.close()
        #expect(await journals.openCount == 0)
        #expect(try files().count == 40)
        let again = try self.journals(openLimit: 3)
        for name in names {
            let journal = try await again.journal(named: name)
            #expect(try await journal.entries(from: 1, limit: .max) == entries(1...5))
        }
        await again.close()
    }

    /// How many of the process' descriptors are of files in the folder; nil where the system doesn't say.
    private func descriptors() -> Int? {
        let all = "/proc/self/fd"
        let manager = FileManager.default
        guard let names = try? manager.contentsOfDirectory(atPath: all) else { return nil }
        let files = names.compactMap { name in
            try? manager.destinationOfSymbolicLink(atPath: "\(all)/\(name)")
        }
        return files.count { $0.hasPrefix(folder.path) }
    }

    @Test func `among ten thousand stores a few files are open, and each folder is small`()
        async throws
    {
        let first = try journals()
        let journal = try await first.journal(named: "visitor-0")
        try await journal.append(entries(1...1), after: .start)
        await first.close()
        let layout = try JournalFolder(folder.path + "/data")
        let original = try layout.file(of: "visitor-0")
        for number in 1..<10_000 {
            try FileManager.default.copyItem(
                atPath: original, toPath: layout.file(of: "visitor-\(number)"))
        }
        let sizes = Dictionary(grouping: try files()) { $0.prefix(2) }.mapValues(\.count)
        #expect(sizes.values.reduce(0, +) == 10_000)
        #expect(sizes.count == 256)
        #expect(try #require(sizes.values.max()) <= 80)

        let limit = 8
        let journals = try journals(openLimit: limit)
        for number in stride(from: 0, to: 10_000, by: 99) {
            let journal = try await journals.journal(named: "visitor-\(number)")
            try await journal.append(entries(2...2), after: position(1))
            #expect(await journals.openCount <= limit)
            // Five for each open file, and the lock of the folder.
            if let descriptors = descriptors() { #expect(descriptors <= 5 * limit + 1) }
        }
        await journals.close()
        #expect(descriptors() ?? 0 == 0)
    }

    @Test(arguments: [
        "../../escape", "/etc/passwd", "a/b", "..", ".", "Name", "name", "näme", "a b", "-rf",
        "a\0b",
        "con", "_41", "A",
    ])
    func `a name is never a path, and each has a file of its own`(name: String) async throws {
        let journals = try journals()
        let other = try await journals.journal(named: "name-of-another")
        try await other.append(entries(1...2), after: .start)
        let journal = try await journals.journal(named: name)
        #expect(try await journal.lastPosition() == .start)
        try await journal.append(entries(1...1), after: .start)
        await journals.close()
        let found = try files()
        #expect(found.count == 2)
        for file in found {
            #expect(file.wholeMatch(of: /[0-9a-f]{2}\/[a-z0-9_-]+\.journal/) != nil)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["data"])
    }

    @Test func `names that differ in capitals alone have different files`() async throws {
        let folder = try JournalFolder(folder.path + "/data")
        let paths = try ["a", "A", "_41", "_5f41"].map { name in
            try folder.file(of: name).lowercased().split(separator: "/").last
        }
        #expect(Set(paths).count == 4)
    }

    @Test(arguments: ["", String(repeating: "x", count: 65)])
    func `a name without bytes, or with too many, is refused`(name: String) async throws {
        let journals = try journals()
        let error = await failure { _ = try await journals.journal(named: name) }
        #expect(error?.code == .invalid)
        #expect(error?.description.contains("\(name.utf8.count) bytes") == true)
        await journals.close()
    }

    @Test func `a journal in use isn't given out twice, nor removed`() async throws {
        let journals = try journals()
        let journal = try await journals.journal(named: "one")
        #expect(await failure { _ = try await journals.journal(named: "one") }?.code == .locked)
        #expect(await failure { try await journals.remove("one") }?.code == .locked)
        await journal.close()
        #expect(await failure { _ = try await journal.lastPosition() }?.code == .closed)
        let next = try await journals.journal(named: "one")
        await next.close()
        try await journals.remove("one")
        #expect(try await !journals.contains("one"))
        #expect(try files() == [])
        await journals.close()
        #expect(await failure { _ = try await journals.journal(named: "one") }?.code == .closed)
    }

    @Test func `a folder has one owner at a time`() async throws {
        let journals = try journals()
        #expect(await failure { _ = try self.journals() }?.code == .locked)
        await journals.close()
        await (try self.journals()).close()
    }

    @Test func `those that nothing was written to for a time are removed`() async throws {
        let journals = try journals()
        for name in ["old", "used", "new"] {
            let journal = try await journals.journal(named: name)
            try await journal.append(entries(1...1), after: .start)
            await journal.close()
        }
        let long = Date(timeIntervalSinceNow: -10_000)
        for file in try files() where !file.hasSuffix("new.journal") {
            try FileManager.default.setAttributes(
                [.modificationDate: long], ofItemAtPath: folder.path + "/data/" + file)
        }
        let used = try await journals.journal(named: "used")
        try await journals.removeUnused(for: .seconds(5_000))
        #expect(try await used.lastPosition() == position(1))
        #expect(try await !journals.contains("old"))
        #expect(try await journals.contains("new"))
        await journals.close()
    }

    @Test func `one that is damaged fails alone`() async throws {
        let journals = try journals()
        let journal = try await journals.journal(named: "damaged")
        try await journal.append(entries(1...1), after: .start)
        await journal.close()
        let file = folder.path + "/data/" + (try #require(try files().first))
        try Data("This is no journal at all.".utf8).write(to: URL(filePath: file))
        let error = await failure { _ = try await journals.journal(named: "damaged") }
        #expect(error?.code == .foreign)
        let other = try await journals.journal(named: "other")
        try await other.append(entries(1...1), after: .start)
        #expect(try Data(contentsOf: URL(filePath: file)).count == 26)
        await journals.close()
    }

    @Test func `who waits for an entry gets it, also while the file is closed`() async throws {
        let journals = try journals(openLimit: 1)
        let journal = try await journals.journal(named: "one")
        let other = try await journals.journal(named: "other")
        async let waiting: Void = journal.wait(after: 0)
        try await other.append(entries(1...1), after: .start)
        try await journal.append(entries(1...1), after: .start)
        try await waiting
        await journals.close()
    }
}

/// A journal whose type is known, for the contract.
private struct SomeJournal: Journal {
    let base: any Journal

    func lastPosition() async throws(JournalError) -> JournalPosition {
        try await base.lastPosition()
    }
    func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) async throws(JournalError) {
        try await base.append(entries, after: expected)
    }
    func entries(from version: CommitVersion, limit: Int) async throws(JournalError)
        -> [JournalEntry]
    {
        try await base.entries(from: version, limit: limit)
    }
    func wait(after version: CommitVersion) async throws(JournalError) {
        try await base.wait(after: version)
    }
    func snapshot(at version: CommitVersion) async throws(JournalError) -> JournalSnapshot? {
        try await base.snapshot(at: version)
    }
    func store(_ snapshot: JournalSnapshot) async throws(JournalError) {
        try await base.store(snapshot)
    }
    func truncate(before version: CommitVersion) async throws(JournalError) {
        try await base.truncate(before: version)
    }
    func erase(
        _ entries: [JournalEntry], _ snapshots: [JournalSnapshot]
    ) async throws(JournalError) {
        try await base.erase(entries, snapshots)
    }
    func close() async { await base.close() }
}
#endif
