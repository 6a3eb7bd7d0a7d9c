// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import Testing

struct ErasureTests {
    private let journal = MemoryJournal()

    /// A journal of three adds and two snapshots, of which Ada's is the second.
    private func record() async throws {
        let app = try await Persistence(of: Basket(), in: journal) { basket }
        for name in ["pear", "Ada's fig", "plum"] { try await app.dispatch(add(name)) }
        let codec = JournalCodec(for: app.store)
        try journal.store(
            codec.states.encode(Basket(items: ["pear"]), at: 1, by: codec.fingerprint))
        try journal.store(codec.states.encode(app.store.state, at: 3, by: codec.fingerprint))
    }

    private func state() async throws -> Basket {
        let store = Store(Basket()) { basket }
        return try await Replay.state(
            of: journal, startingWith: Basket(), by: store, JournalCodec(for: store)
        ).state
    }

    @Test func `a text is taken out of entries and of snapshots, and versions stay`() async throws {
        try await record()
        #expect(try await journal.erase(.replacing("Ada")) == [2])
        let entries = try journal.entries(from: 1, limit: .max)
        #expect(entries.map(\.version) == [1, 2, 3])
        #expect(entries.map(\.kind) == [.action, .erased, .action])
        #expect(try journal.snapshot(at: .max)?.version == 1)
        #expect(try await state().items == ["pear", "'s fig", "plum"])
    }

    @Test func `an action that is taken out is no longer folded`() async throws {
        try await record()
        let erasure = Erasure(
            action: { $0.payload["name"]?.text?.contains("Ada") == true ? nil : $0 }, state: { $0 })
        #expect(try await journal.erase(erasure) == [2])
        #expect(try journal.entries(from: 2, limit: 1).first?.payload == [])
        #expect(try await state().items == ["pear", "plum"])
    }

    @Test func `erasing again changes nothing`() async throws {
        try await record()
        _ = try await journal.erase(.replacing("Ada"))
        let before = try journal.entries(from: 1, limit: .max)
        #expect(try await journal.erase(.replacing("Ada")) == [])
        #expect(try journal.entries(from: 1, limit: .max) == before)
    }

    @Test func `the snapshot that stands for truncated entries is kept without the text`()
        async throws
    {
        try await record()
        try journal.truncate(before: 3)
        _ = try await journal.erase(.replacing("Ada"))
        #expect(try journal.snapshot(at: .max)?.version == 3)
        #expect(try await state().items == ["pear", "'s fig", "plum"])
    }
}
