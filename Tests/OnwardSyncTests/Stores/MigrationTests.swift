// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardSync
import OnwardTesting
import Testing

/// The app before an update: a list of words.
private struct OldWords: Codable, Equatable, Sendable {
    var words: [String] = []
}

private struct OldWord: Action, Codable {
    static var actionName: String { "Word" }
    let text: String
}

/// The app after it: each word has a weight.
private struct Words: Codable, Equatable, Sendable, SchemaVersioned {
    struct Weighed: Codable, Equatable, Sendable {
        var text: String
        var weight: Int
    }
    static var schemaVersion: Int { 2 }

    var words: [Weighed] = []
    var lines: [String] { words.map { "\($0.text) \($0.weight)" } }
}

private struct Word: Action, Codable, SchemaVersioned {
    static var schemaVersion: Int { 2 }
    let text: String
    let weight: Int
}

private let oldWords = Feature<OldWords> {
    Reduce { (state: inout OldWords, word: OldWord) in state.words.append(word.text) }
}

private enum WordRefusal: RefusalReason {
    case known
    var sentence: String { "The word is known." }
}

private let words = Feature<Words> {
    Check { (state: Words, word: Word) throws(WordRefusal) in
        if state.words.contains(where: { $0.text == word.text }) { throw .known }
    }
    Reduce { (state: inout Words, word: Word) in
        state.words.append(Words.Weighed(text: word.text, weight: word.weight))
    }
}

extension SyncOptions<Words> {
    /// A word of two words becomes two actions, an empty one none.
    fileprivate static var migrating: Self {
        var options = Self()
        options.migrations.action("Word", from: 1) { record in
            let text = record.payload["text"]?.text ?? ""
            return text.split(separator: " ").map { word in
                var record = record
                record.payload = ["text": .text(String(word)), "weight": 1]
                return record
            }
        }
        options.migrations.state(from: 1) { state in
            let words = state["words"]?.list ?? []
            return ["words": .list(words.map { ["text": $0, "weight": 1] })]
        }
        return options
    }
}

@Suite(.timeLimit(.minutes(2))) struct MigrationTests {
    private let shared = Store(Words()) { words }
    private let clock = ManualClock()

    private func server() async throws -> SyncServer<Words> {
        try await SyncServer(of: shared, accepting: .actions(Word.self), options: .migrating)
    }

    /// What an older program has dispatched offline, and left in its journal.
    private func left(
        _ texts: String..., in journal: MemoryJournal, onto shown: [String] = []
    ) async throws {
        let network = MemoryTransport { throw MemoryTransport.CutOff() }
        let old = try await SyncedStore(
            of: OldWords(words: shown), over: network, in: journal,
            storeOptions: StoreOptions(clock: ManualClock())
        ) { oldWords }
        for text in texts { old.store.dispatch(OldWord(text: text)) }
        try await old.store.flush(.memory)
        await old.stop()
    }

    private func client(
        over network: MemoryTransport, in journal: MemoryJournal
    ) async throws -> SyncedStore<Words> {
        try await SyncedStore(
            of: Words(), over: network, in: journal, options: .migrating,
            storeOptions: StoreOptions(clock: clock)
        ) { words }
    }

    @Test func `what is pending from before an update shows after it, and is confirmed`()
        async throws
    {
        let journal = MemoryJournal()
        try await left("a", "b", in: journal)
        let network = MemoryTransport(to: try await server())
        network.isConnected = false
        let client = try await client(over: network, in: journal)
        #expect(client.store.state.lines == ["a 1", "b 1"])
        #expect(client.status.state.pending == 2)
        client.store.dispatch(Word(text: "c", weight: 5))
        await clock.sleepers(2)
        network.isConnected = true
        clock.advance(by: .seconds(20))
        _ = try await client.status.wait { $0.pending == 0 }
        #expect(client.status.state.refused == 0)
        #expect(shared.state.lines == ["a 1", "b 1", "c 5"])
        #expect(client.store.state == shared.state)
    }

    @Test func `a pending action that a migration splits or drops is decided as it shows`()
        async throws
    {
        let journal = MemoryJournal()
        try await left("a b", "", "c", in: journal)
        let client = try await client(over: MemoryTransport(to: server()), in: journal)
        #expect(client.store.state.lines == ["a 1", "b 1", "c 1"])
        _ = try await client.status.wait { $0.pending == 0 }
        #expect(shared.state.lines == ["a 1", "b 1", "c 1"])
        _ = try await client.store.wait { $0 == shared.state }
    }

    @Test func `what a migration makes of a pending action is decided one by one`()
        async throws
    {
        let journal = MemoryJournal()
        shared.dispatch(Word(text: "b", weight: 9))
        try await left("a b", "c", in: journal)
        let client = try await client(over: MemoryTransport(to: server()), in: journal)
        _ = try await client.status.wait { $0.pending == 0 }
        #expect(client.status.state.refused == 0)
        #expect(shared.state.lines == ["b 9", "a 1", "c 1"])
        _ = try await client.store.wait { $0 == shared.state }
    }

    @Test func `what an old client has pending goes up to a server that was updated`()
        async throws
    {
        // As an old program sends it.
        let server = try await server()
        let network = MemoryTransport(to: server)
        let old = try await SyncedStore(
            of: OldWords(), over: network, in: MemoryJournal(),
            storeOptions: StoreOptions(clock: ManualClock())
        ) { oldWords }
        let version = old.store.dispatch(OldWord(text: "a")).version ?? 0
        _ = try await shared.wait { $0.lines == ["a 1"] }
        // It can't read the new state, and doesn't know what became of its action until it is updated.
        _ = try await old.status.wait { $0.problem == .unreadable }
        #expect(old.status.state.isOnline)
        #expect(old.status.state.pending == 1)
        await old.stop()
        #expect(await old.outcome(of: version) == nil)
    }
}
