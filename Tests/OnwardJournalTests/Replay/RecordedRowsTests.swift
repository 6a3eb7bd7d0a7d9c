// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import Testing

@testable import TestSupport

/// How entries name rows, and how a replay finds them.
struct RecordedRowsTests {
    private struct Row<ID: Codable & Hashable & Sendable>: Codable, Equatable, Identifiable,
        Sendable
    {
        let id: ID
        var count = 0
    }
    private struct Rows<ID: Codable & Hashable & Sendable>: Codable, Equatable, Sendable {
        var rows: EntityTable<Row<ID>> = []

        init(_ ids: [ID] = []) { for id in ids { rows.append(Row(id: id)) } }
    }
    private struct Bump: Action, Codable {}
    private struct Remove: Action, Codable { var first = true }
    private struct Number: Codable, Hashable, Sendable { var value: Int }

    private func feature<ID>(_ type: ID.Type) -> Feature<Rows<ID>> {
        Feature {
            Scope(each: \.rows) { Reduce { (row: inout Row<ID>, _: Bump) in row.count += 1 } }
            Reduce { (state: inout Rows<ID>, _: Remove) in
                if let id = state.rows.first?.id { state.rows.remove(id: id) }
            }
        }
    }

    private func open<ID>(
        _ ids: [ID], in journal: MemoryJournal,
        whenUnreadable policy: UnreadableEntryPolicy = .fail
    ) async throws -> Persistence<Rows<ID>> {
        var options = PersistenceOptions<Rows<ID>>()
        options.whenUnreadable = policy
        return try await Persistence(of: Rows(ids), in: Unclosed(base: journal), options: options) {
            feature(ID.self)
        }
    }

    /// Records changes of rows, and compares what they lead to after a restart.
    private func check<ID: Codable & Hashable & Sendable>(_ ids: [ID]) async throws {
        let journal = MemoryJournal()
        let first = try await open(ids, in: journal)
        for (index, id) in ids.enumerated() {
            for _ in 0...index {
                try await first.dispatch(Bump(), to: AddressPath<Rows<ID>>.row(\.rows, id: id))
            }
        }
        try await first.shutdown()
        let second = try await open(ids, in: journal)
        #expect(second.restored.version == CommitVersion(ids.count * (ids.count + 1) / 2))
        #expect(second.store.state == first.store.state)
        #expect(second.store.state.rows.map(\.count) == Array(1...ids.count))
        try await second.shutdown()
    }

    @Test func `rows are found again, whatever their ids are`() async throws {
        enum Place: Codable, Hashable, Sendable { case hand, stack(Int) }
        try await check([1, 2, 3])
        try await check(["a/b", "#", "%2F", "", "👩‍👩‍👧", "null", "{}"])
        try await check([UUID(), UUID(), UUID()])
        try await check([Place.hand, .stack(1), .stack(2)])
        try await check([Number(value: 1), Number(value: 2)])
        try await check([Int?.none, 1, 2])
        try await check([[1], [], [1, 1]])
    }

    @Test func `a journal keeps the texts of ids alone`() throws {
        let journal = MemoryJournal()
        let address = AddressPath<Rows<Number>>.row(\.rows, id: Number(value: 7)).address
        let entry = JournalEntry(version: 1, name: "Bump", address: address)
        try journal.append([entry], after: .start)
        let found = try #require(try journal.entries(from: 1, limit: 1).first).address
        #expect(found == address)
        #expect(found.description == #"rows/#{"value":7}"#)
        #expect(found.hasRowTexts)
        #expect(!address.hasRowTexts)
    }

    /// A journal as an earlier version wrote it: with descriptions of ids.
    private func journal(of addresses: [String]) throws -> MemoryJournal {
        let journal = MemoryJournal()
        let entries = try addresses.enumerated().map { index, text in
            JournalEntry(
                version: CommitVersion(index + 1),
                name: text == "" ? Remove.actionName : Bump.actionName,
                payload: DataFormat.cbor.bytes(of: text == "" ? ["first": true] : [:]),
                address: try #require(Address(text)))
        }
        try journal.append(entries, after: .start)
        return journal
    }

    @Test func `entries that name a row by its description find it`() async throws {
        let numbers = try journal(of: [
            "rows/#Number(value: 2)", #"rows/#{"value":1}"#, "rows/#Number(value: 2)", "",
            "rows/#Number(value: 3)", "rows/#Number(value: 1)",
        ])
        let app = try await open([1, 2, 3].map(Number.init), in: numbers)
        #expect(app.store.state.rows.map(\.count) == [2, 1])
        try await app.shutdown()
    }

    /// An id whose coded form any text can be.
    private struct Tag: Codable, Hashable, Sendable {
        var text: String
        init(_ text: String) { self.text = text }
        init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    @Test func `a description that could be a coded form finds its row too`() async throws {
        let tags = try journal(of: [#"rows/#Tag(text: "b")"#, "rows/#a"])
        let app = try await open(["a", "b"].map(Tag.init), in: tags)
        #expect(app.store.state.rows.map(\.count) == [1, 1])
        try await app.shutdown()
        let store = Store(Rows(["a", "b"].map(Tag.init))) { feature(Tag.self) }
        let live = try #require(Address(#"rows/#Tag(text: "b")"#))
        #expect(store.dispatch(Bump(), to: live) == .refused(.absent))
    }

    /// Ids of which two have one description.
    private struct Twin: Codable, Hashable, Sendable, CustomStringConvertible {
        var value: Int
        var description: String { value < 2 ? "twin" : "number \(value)" }
    }

    @Test func `a description that two rows share is refused, not guessed`() async throws {
        let twins = try journal(of: ["rows/#number 2", "rows/#twin"])
        let ids = [0, 1, 2].map(Twin.init)
        let error = await #expect(throws: JournalError.self) { try await open(ids, in: twins) }
        #expect(error?.code == .unreadable)
        #expect(error?.version == 2)
        #expect(
            error?.description == """
                Entry 2, "\(Bump.actionName)", cannot be replayed: its address, "rows/#twin", names a row by "twin", as an \
                earlier version of this library wrote ids, and several rows have ids with that description. \
                Nothing says which one was meant. To leave such entries out, restore with \
                `whenUnreadable: .quarantine`.
                """)
        let kept = Guarded<[CommitVersion]>([])
        let app = try await open(
            ids, in: twins,
            whenUnreadable: .quarantine { entry in
                kept.withValue { $0.append(entry.entry.version) }
            })
        #expect(kept.withValue { $0 } == [2])
        #expect(app.store.state.rows.map(\.count) == [0, 0, 1])
        try await app.shutdown()
        let alone = try journal(of: ["", "rows/#twin"])
        let other = try await open(ids, in: alone)
        #expect(other.store.state.rows.map(\.count) == [1, 0])
        try await other.shutdown()
    }

    /// An id that counts how often it is described.
    private struct Counted: Codable, Hashable, Sendable, CustomStringConvertible {
        static let asked = Guarded(0)
        var value: Int
        var description: String {
            Self.asked.withValue { $0 += 1 }
            return "number \(value)"
        }
    }

    @Test func `each id is described once for all entries`() async throws {
        let ids = (2..<202).map(Counted.init)
        let journal = try journal(
            of: ids.map { "rows/#number \($0.value)" } + ["", "rows/#number 3"])
        let store = Store(Rows(ids)) { feature(Counted.self) }
        Counted.asked.withValue { $0 = 0 }
        let state = try await Replay.state(
            of: journal, startingWith: Rows(ids), by: store, JournalCodec(for: store)
        ).state
        #expect(state.rows.map(\.count) == [2] + Array(repeating: 1, count: 198))
        #expect(Counted.asked.withValue { $0 } <= 202)
    }

    // MARK: What can't be recorded

    private struct Handle: Hashable, Sendable { var value: Int }
    private struct Handled: Codable, Identifiable, Sendable {
        var value = 0
        var id: Handle { Handle(value: value) }
    }
    private struct Desk: Codable, Sendable {
        var papers: [Handled] = []
        var drawer = Drawer()
    }
    private struct Drawer: Codable, Sendable { var papers: EntityTable<Handled> = [] }
    private let desk = Feature<Desk> {
        Scope(each: \.papers) { Reduce { (paper: inout Handled, _: Bump) in _ = paper } }
        Scope(\.drawer) {
            Scope(each: \.papers) { Reduce { (paper: inout Handled, _: Bump) in _ = paper } }
        }
    }

    @Test func `features with ids that aren't Codable are refused before anything is recorded`()
        async throws
    {
        let text = """
            The log of a store is to be kept, but these ids are not Codable: Handle of the rows at \
            "drawer/papers/#", Handle of the rows at "papers/#". An entry names its row by the coded form of \
            its id; without one, nobody could tell after a restart which row an action was for. To fix this, \
            declare `extension Handle: Codable {}`, or give the rows other ids. Rows with such ids can be used \
            in stores whose log isn't kept.
            """
        let journal = MemoryJournal()
        let restored = await #expect(throws: JournalError.self) {
            _ = try await Persistence(of: Desk(), in: Unclosed(base: journal)) { desk }
        }
        #expect(restored?.code == .invalid)
        #expect(restored?.description == text)
        let store = Store(Desk(papers: [Handled(value: 1)])) { desk }
        let recorded = await #expect(throws: JournalError.self) {
            _ = try await JournalRecorder(of: store, into: journal, JournalCodec(for: store))
        }
        #expect(recorded?.description == text)
        #expect(try journal.lastPosition() == .start)
        #expect(try journal.snapshot(at: .max) == nil)
        let address = try #require(Address("papers/#Handle(value: 1)"))
        #expect(store.dispatch(Bump(), to: address) == .accepted(1))
    }

    @Test func `a scope without a lasting name is refused before anything is recorded`()
        async throws
    {
        struct Shelf: Codable, Sendable {
            var books = 0
            var doubled: Int {
                get { books * 2 }
                set { books = newValue / 2 }
            }
        }
        let shelf = Feature<Shelf> {
            Scope(\.doubled) { Reduce { (books: inout Int, _: Bump) in books += 2 } }
        }
        let journal = MemoryJournal()
        let options = StoreOptions(onProgrammerError: { _ in })
        let refusal = await #expect(throws: JournalError.self) {
            _ = try await Persistence(
                of: Shelf(), in: Unclosed(base: journal), storeOptions: options
            ) { shelf }
        }
        #expect(refusal?.code == .invalid)
        #expect(refusal?.description.contains("isn't the same in each build and run") == true)
        #expect(refusal?.description.contains(#"Scope(path, name: "settings", feature)"#) == true)
        #expect(try journal.lastPosition() == .start)
    }

    /// An id that loses a part of itself when it is encoded.
    private struct Forgetful: Codable, Hashable, Sendable {
        var kept = 0
        var lost = 0
        private enum CodingKeys: String, CodingKey { case kept }
    }

    @Test func `an id that isn't read back ends the recording with its reason`() async throws {
        let journal = MemoryJournal()
        let ids = [Forgetful(), Forgetful(kept: 1), Forgetful(kept: 1, lost: 1)]
        let store = Store(Rows(Array(ids[..<2]))) { feature(Forgetful.self) }
        let recorder = try await JournalRecorder(
            of: store, into: journal, JournalCodec(for: store))
        store.dispatch(Bump(), to: AddressPath<Rows<Forgetful>>.row(\.rows, id: ids[1]))
        try await recorder.flush()
        let other = Store(Rows([ids[2]])) { feature(Forgetful.self) }
        let error = #expect(throws: JournalError.self) {
            try ActionCodec.check(AddressPath<Rows<Forgetful>>.row(\.rows, id: ids[2]).address)
        }
        #expect(error?.code == .invalid)
        #expect(
            error?.description == """
                The address "rows/#{"kept":1}" cannot be written into a journal: "{"kept":1}", which the id of \
                its row is encoded as, is not decoded as that id again. To fix this, have the id's \
                `encode(to:)` write all that its `==` compares, and its `init(from:)` read it.
                """)
        let second = try await JournalRecorder(
            of: other, into: MemoryJournal(), JournalCodec(for: other))
        other.dispatch(Bump(), to: AddressPath<Rows<Forgetful>>.row(\.rows, id: ids[2]))
        await #expect(throws: JournalError.self) { try await second.flush() }
    }
}
