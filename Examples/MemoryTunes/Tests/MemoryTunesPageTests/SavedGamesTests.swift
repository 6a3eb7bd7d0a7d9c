// SPDX-License-Identifier: MIT

import Foundation
import MemoryTunesCore
import MemoryTunesPage
import Onward
import OnwardJournal
import OnwardServer
import Testing

@Suite struct SavedGamesTests {
    private let temporary = TemporaryFolder()
    private let visitor = VisitorID()

    private var file: URL {
        temporary.url.appendingPathComponent("\(visitor.fileName).json")
    }

    /// What a file with a text is read as.
    private func load(_ text: String) throws -> SavedState? {
        let games = try games()
        try Data(text.utf8).write(to: file)
        return try games.value(of: visitor) { _ in }.load()?.sound
    }

    private func games() throws -> SavedGames { try SavedGames(in: temporary.url) }

    /// Plays so that a category is saved.
    private func choose(_ category: MemoryTunesCore.Category, _ visitor: VisitorID) async throws {
        let value = try games().value(of: visitor)
        let store = Store(MemoryTunes(try value.load())) {
            memoryTunes { _ in ([], true) }
            Saving(\.saved, as: value)
        }
        store.dispatch(CategoriesAction.choose(category: category))
        await store.shutdown()
    }

    @Test func `what was saved is loaded, and nobody else's`() async throws {
        try await choose(.rap, visitor)
        #expect(try games().value(of: visitor).load()?.currentCategoryKey == "Rap")
        #expect(try games().value(of: VisitorID()).load() == nil)
    }

    @Test func `the category is kept under its key by its name, in one whole private file`()
        async throws
    {
        try await choose(.electronic, visitor)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(#""currentCategoryKey":"Electronic""#))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: temporary.url.path)
                == [file.lastPathComponent])
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: [
        "", "{", "[]", "7", "\u{0}", #"{"schema":1,"value":{"game":3}}"#,
        #"{"schema":1,"value":{"currentCategoryKey":1}}"#,
    ])
    func `what can't be read counts as nothing, and is set aside`(text: String) async throws {
        #expect(try load(text) == nil)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: temporary.url.path)
                == ["\(file.lastPathComponent).broken-1"])
        try await choose(.rap, visitor)
        #expect(try games().value(of: visitor).load()?.currentCategoryKey == "Rap")
    }

    @Test func `a file that is too large is refused, and stays`() throws {
        let text = #"{"schema":1,"value":{"currentCategoryKey":"Rap"}}"#
        #expect(try load(text)?.currentCategoryKey == "Rap")
        #expect(throws: SavingError.self) {
            try load(text + String(repeating: " ", count: 300_000))
        }
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test(arguments: [
        #"{"loaded":{"value":[]}}"#,
        #"{"loaded":{"value":[{"id":7,"face":"open","cover":{"address":"a","title":""}}]}}"#,
        #"{"loading":{"previous":[{"id":0,"face":"open","cover":{"address":"a","title":""}}]}}"#,
    ])
    func `cards that are no game are left out, and the category stays`(deal: String) throws {
        let text = """
            {"schema":1,"value":{"currentCategoryKey":"Rock","game":{"number":1,"category":"Pop",
            "deal":\(deal),"closing":[],"hasOwnCovers":false,"moves":1,"seconds":1,
            "isCongratulating":false}}}
            """
        #expect(try load(text) == SavedState(currentCategoryKey: "Rock", game: nil))
    }

    @Test func `of too many games the oldest go at the next launch`() async throws {
        let visitors = (0..<5).map { _ in VisitorID() }
        for (index, visitor) in visitors.enumerated() {
            try await choose(.rap, visitor)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000 + Double(index))],
                ofItemAtPath: temporary.url.appendingPathComponent("\(visitor.fileName).json").path)
        }
        let next = try SavedGames(in: temporary.url, limit: 2)
        #expect(
            try visitors.map { try next.value(of: $0).load() != nil } == [
                false, false, false, true, true,
            ])
    }

    @Test func `a folder that was there before is private from then on`() throws {
        let files = FileManager.default
        for make in [{ _ = try SavedGames(in: $0) }, { _ = try FolderLock($0) }]
            as [(URL) throws -> Void]
        {
            try files.createDirectory(
                at: temporary.url, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755])
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: temporary.url.path)
            try make(temporary.url)
            let attributes = try files.attributesOfItem(atPath: temporary.url.path)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
        }
    }

    @Test func `a pipe in the place of a file is refused, and is not waited for`() throws {
        let games = try games()
        try #require(mkfifo(file.path, 0o600) == 0)
        #expect(throws: SavingError.self) { try games.value(of: visitor).load() }
    }

    @Test func `a link in the place of a file is refused`() throws {
        let games = try games()
        let elsewhere = temporary.url.appendingPathComponent("elsewhere")
        try Data(#"{"schema":1,"value":{"currentCategoryKey":"Rap"}}"#.utf8).write(to: elsewhere)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: elsewhere)
        #expect(throws: SavingError.self) { try games.value(of: visitor).load() }
    }

    @Test func `a folder belongs to one program at a time`() throws {
        var first: FolderLock? = try FolderLock(temporary.url)
        let error = #expect(throws: FolderLock.InUse.self) { try FolderLock(temporary.url) }
        #expect(error.map { "\($0)" }?.contains(temporary.url.path) == true)
        withExtendedLifetime(first) {}
        first = nil
        _ = try FolderLock(temporary.url)
    }

    @Test func `each folder has cookies of its own`() throws {
        let games = try SavedGames(in: temporary.url)
        let others = try SavedGames(in: temporary.url.appendingPathComponent("others"))
        let again = try SavedGames(in: temporary.url)
        #expect(games.cookieName == again.cookieName)
        #expect(games.cookieName != others.cookieName)
        #expect(games.cookieName.contains(/^memorytunes-[a-z0-9]+$/))
    }

    @Test func `the folder is the platform's for what belongs to apps`() {
        let folder = SavedGames.standardFolder(environment: ["XDG_DATA_HOME": "/data"])
        #expect(folder.path == "/data/MemoryTunes")
        let relative = SavedGames.standardFolder(environment: ["XDG_DATA_HOME": "data"])
        #expect(relative.path.hasPrefix("/") && relative.lastPathComponent == "MemoryTunes")
    }
}
