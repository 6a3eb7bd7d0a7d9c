// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Testing

@testable import OnwardJournal
@testable import TestSupport

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
        let report = try await journal.erase(.replacing("Ada", in: .parts))
        #expect(report.versions == [2])
        #expect(report.partial == [])
        let entries = try journal.entries(from: 1, limit: .max)
        #expect(entries.map(\.version) == [1, 2, 3])
        #expect(entries.map(\.kind) == [.action, .erased, .action])
        #expect(try journal.snapshot(at: .max)?.version == 1)
        #expect(try await state().items == ["pear", "'s fig", "plum"])
    }

    @Test func `without parts, only whole values are replaced, and others are named`() async throws
    {
        try await record()
        let report = try await journal.erase(.replacing("Ada", with: "someone"))
        #expect(report.versions == [])
        #expect(report.partial == [2, 3])
        #expect(try journal.snapshot(at: .max)?.version == 3)
        #expect(try await state().items == ["pear", "Ada's fig", "plum"])
        #expect(try await journal.erase(.replacing("pear", with: "fruit")).versions == [1])
        #expect(try await state().items == ["fruit", "Ada's fig", "plum"])
    }

    @Test func `an action that is taken out is no longer folded`() async throws {
        try await record()
        let erasure = Erasure(
            action: { $0.payload["name"]?.text?.contains("Ada") == true ? nil : $0 }, state: { $0 })
        #expect(try await journal.erase(erasure).versions == [2])
        #expect(try journal.entries(from: 2, limit: 1).first?.payload == [])
        #expect(try await state().items == ["pear", "plum"])
    }

    @Test func `erasing again changes nothing`() async throws {
        try await record()
        _ = try await journal.erase(.replacing("Ada", in: .parts))
        let before = try journal.entries(from: 1, limit: .max)
        #expect(try await journal.erase(.replacing("Ada", in: .parts)).versions == [])
        #expect(try journal.entries(from: 1, limit: .max) == before)
    }

    @Test func `the snapshot that stands for truncated entries is kept without the text`()
        async throws
    {
        try await record()
        try journal.truncate(before: 3)
        _ = try await journal.erase(.replacing("Ada", in: .parts))
        #expect(try journal.snapshot(at: .max)?.version == 3)
        #expect(try await state().items == ["pear", "'s fig", "plum"])
    }

    @Test func `a snapshot of a first state loses the text too`() async throws {
        let codec = JournalCodec(for: Store(Basket()) { basket })
        try journal.store(
            codec.states.encode(Basket(items: ["Ada"]), at: 0, by: codec.fingerprint))
        #expect(try await journal.erase(.replacing("Ada", with: "someone")).versions == [])
        let snapshot = try #require(try journal.snapshot(at: 0))
        #expect(try codec.states.decode(snapshot).items == ["someone"])
    }

    @Test(arguments: ["", "ann"])
    func `a text that would never be gone is refused`(text: String) async throws {
        try await record()
        let error = await #expect(throws: ErasureError.self) {
            try await journal.erase(.replacing(text, with: "susanne ann", in: .parts))
        }
        #expect(error?.code == .remains)
    }

    @Test func `what an erasure can't reach is refused where no byte may stay`() async throws {
        try journal.append(
            [
                JournalEntry(
                    version: 1, name: Note.actionName,
                    payload: DataFormat.cbor.bytes(of: ["text": "Ada"]),
                    origin: ActionOrigin(file: "Ada/Main.swift", line: 1))
            ], after: .start)
        let error = await #expect(throws: ErasureError.self) {
            try await journal.erase(.replacing("Ada", in: .parts))
        }
        #expect(error?.code == .remains)
        #expect(error?.version == 1)
        #expect(try journal.entries(from: 1, limit: 1).first?.kind == .action)
        let report = try await journal.erase(.replacing("Ada"))
        #expect(report.versions == [1])
        #expect(report.partial == [1])
    }

    // MARK: Forms

    @Test(
        arguments: [
            ("ann@example.com", "nobody"), ("channel", nil), ("ann@example.com, bob", nil),
            ("https://x.example/of/ann%40example.com", "https://x.example/of/nobody"),
            ("https://x.example/?who=ann%40Example.com", nil),
            ("https://x.example/?who=ann%40example.com&n=1", "https://x.example/?who=nobody&n=1"),
            (
                "https://x.example/?who=ann%40example%2ecom#ann@example.com",
                "https://x.example/?who=nobody#nobody"
            ),
            ("mailto:ann@example.com", "mailto:nobody"), ("mailto:joann@example.com", nil),
            ("/people/ann@example.com/notes", "/people/nobody/notes"),
            ("ann%40example.com", "nobody"), ("YW5uQGV4YW1wbGUuY29t", "bm9ib2R5"),
        ] as [(String, String?)])
    func `a value is replaced as a whole, also as a step of a URL`(
        text: String, replaced: String?
    ) throws {
        let erasure = Erasure.replacing("ann@example.com", with: "nobody")
        #expect(try erasure.state(.text(text)) == .text(replaced ?? text))
    }

    @Test(
        arguments: [
            ("/u/ann", "/u/x"), ("/u/ann@example.com", nil), ("/u/bob,ann", nil), ("/u;ann=1", nil),
            ("https://a.example/u/bob:ann", nil),
            ("https://ann@a.example/", "https://x@a.example/"),
            ("https://bob:ann@a.example", "https://bob:x@a.example"), ("//ann/u", "//x/u"),
            ("https://ann:80/ann?ann=ann#ann", "https://x:80/x?x=x#x"), ("ann:note", nil),
            ("mailto:ann@example.com", nil), ("urn:ann", "urn:x"), ("ann=%20", "x=%20"),
            ("at 10:ann", nil),
        ] as [(String, String?)])
    func `a step of a URL is replaced, and not a part of one`(text: String, replaced: String?)
        throws
    {
        let erasure = Erasure.replacing("ann", with: "x")
        #expect(try erasure.state(.text(text)) == .text(replaced ?? text))
    }

    @Test func `spaces and slashes of a text and of its replacement are escaped in URLs`() throws {
        let erasure = Erasure.replacing("Ann Lee", with: "a/b c")
        #expect(
            try erasure.state("https://x.example/Ann%20Lee?n=Ann+Lee")
                == "https://x.example/a%2Fb%20c?n=a%2Fb%20c")
    }

    @Test func `names of fields and bytes are replaced too`() throws {
        let erasure = Erasure.replacing("ann", with: "x")
        let bytes = Array("ann".utf8)
        let before: DataValue = [
            "ann": 1, "channel": 2, "data": .bytes(bytes),
            "numbers": .list(bytes.map { .integer(Int64($0)) }), "others": [97, 110],
        ]
        let after: DataValue = [
            "x": 1, "channel": 2, "data": .bytes(Array("x".utf8)), "numbers": [120],
            "others": [97, 110],
        ]
        #expect(try erasure.state(before) == after)
        let parts = Erasure.replacing("ann", with: "x", in: .parts)
        #expect(try parts.state("channel/%61nn") == "chxel/x")
        #expect(try parts.state(.bytes(Array("channel".utf8))) == .bytes(Array("chxel".utf8)))
    }

    @Test(arguments: [("ann", "guest 1"), ("annika", "x"), ("Ann Lee", "x"), ("a?>a?>", "??>")])
    func `bytes in base 64 are replaced by such bytes, however long both are`(
        person: String, replacement: String
    ) throws {
        let erasure = Erasure.replacing(person, with: replacement)
        let written = DataValue.text(Data(person.utf8).base64EncodedString())
        #expect(
            try erasure.state(written) == .text(Data(replacement.utf8).base64EncodedString()))
    }

    @Test func `a text is found in each form that Unicode considers equal`() throws {
        let erasure = Erasure.replacing("Zoë", with: "x")
        #expect(try erasure.state("Zoe\u{308}") == "x")
        #expect(try erasure.state("/Zo%C3%AB/Zoe%CC%88") == "/x/x")
        let combined = Erasure.replacing("ann", with: "x", in: .parts)
        #expect(try combined.state("ann\u{301}").text?.utf8.elementsEqual("x\u{301}".utf8) == true)
    }

    @Test func `fields that would have one name are refused`() throws {
        let erasure = Erasure.replacing("ann", with: "bob")
        let error = #expect(throws: ErasureError.self) {
            try erasure.state(["guests": ["ann": 1, "bob": 2]])
        }
        #expect(error?.code == .collision)
        #expect(
            error?.description == """
                Two different values in "guests" would both be "bob" after the erasure, so one of them would be \
                lost, or nothing could be read. Choose another replacement, one for each person.
                """)
        #expect(throws: ErasureError.self) {
            try erasure.state([["id": "ann"], ["id": "bob"]])
        }
        #expect(throws: Never.self) {
            try erasure.state([["by": "ann"], ["by": "bob"]])
        }
    }
}

/// Persons who are rows: their ids are in entries, addresses and states.
struct RowErasureTests {
    private struct Key: Codable, Hashable, Sendable {
        var name: String
        var year = 1
    }
    private struct Person<ID: Codable & Hashable & Sendable>: Codable, Equatable, Identifiable,
        Sendable
    {
        var id: ID
        var count = 0
    }
    private struct People<ID: Codable & Hashable & Sendable>: Codable, Equatable, Sendable {
        var rows: EntityTable<Person<ID>> = []
        var letters = 0
    }
    private struct Came<ID: Codable & Hashable & Sendable>: Action, Codable {
        var id: ID
        static var actionName: String { "Came" }
    }
    private struct Bump: Action, Codable {}
    private struct Tick: Action, Codable {}

    private static func people<ID>(_ type: ID.Type) -> Feature<People<ID>> {
        Feature {
            Reduce { (people: inout People<ID>, action: Came<ID>) in
                people.rows[id: action.id] = Person(id: action.id)
                people.letters += "\(action.id)".count
            }
            Reduce { (people: inout People<ID>, _: Tick) in people.letters += 1 }
            Scope(each: \.rows) {
                Reduce { (person: inout Person<ID>, _: Bump) in person.count += 1 }
            }
        }
    }

    private let journal = MemoryJournal()

    private func open<ID>(
        _ type: ID.Type, spacing: Int? = nil, retention: Retention = .all
    ) async throws -> Persistence<People<ID>> {
        var options = PersistenceOptions<People<ID>>()
        options.recording.snapshotSpacing = spacing
        options.retention = retention
        return try await Persistence(
            of: People(), in: Unclosed(base: journal), options: options
        ) { Self.people(type) }
    }

    private func record<ID: Codable & Hashable & Sendable>(_ ids: [ID]) async throws {
        let app = try await open(ID.self)
        for id in ids {
            try await app.dispatch(Came(id: id))
            try await app.dispatch(Bump(), to: AddressPath<People<ID>>.row(\.rows, id: id))
        }
        try await app.shutdown()
    }

    private func erase<ID: Codable & Hashable & Sendable>(
        _ erasure: Erasure, _ type: ID.Type
    ) async throws(ErasureError) -> ErasureReport {
        let store = Store(People<ID>()) { Self.people(type) }
        return try await journal.erase(
            erasure, startingWith: People(), by: store, JournalCodec(for: store))
    }

    /// All that the journal has, as text.
    private func contents() throws -> String {
        // None where they are truncated.
        let entries = (try? journal.entries(from: 1, limit: .max)) ?? []
        var bytes = entries.flatMap { entry in
            entry.payload + Array("\(entry.address) \(entry.name)\n".utf8)
        }
        var version = CommitVersion.max
        while let snapshot = try journal.snapshot(at: version) {
            bytes += snapshot.payload
            guard snapshot.version > 0 else { break }
            version = snapshot.version - 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `the id of a row is erased from addresses, and entries reach the row`() async throws
    {
        try await record(["ann", "a/b", "bob"])
        let report = try await erase(.replacing("ann", with: "#1"), String.self)
        #expect(report.versions == [1, 2])
        // The letters of all names are no replacement of "ann".
        #expect(report.differences == [DataPath(["letters"])])
        #expect(try await erase(.replacing("a/b", with: "2/%"), String.self).versions == [3, 4])
        let app = try await open(String.self)
        #expect(app.store.state.rows.map(\.id) == ["#1", "2/%", "bob"])
        #expect(app.store.state.rows.map(\.count) == [1, 1, 1])
        try await app.shutdown()
        #expect(!(try contents()).contains("ann"))
        #expect(!(try contents()).contains("a%2Fb"))
    }

    @Test func `a part of an id is erased from addresses, too`() async throws {
        try await record([Key(name: "ann"), Key(name: "joann"), Key(name: "bob", year: 2)])
        let report = try await erase(.replacing("ann", with: "1/\""), Key.self)
        #expect(report.versions == [1, 2])
        let app = try await open(Key.self)
        #expect(app.store.state.rows.map(\.id.name) == ["1/\"", "joann", "bob"])
        #expect(app.store.state.rows.map(\.count) == [1, 1, 1])
        try await app.shutdown()
    }

    @Test func `a description in an address is erased, too`() async throws {
        let came = DataFormat.cbor.bytes(of: ["id": ["name": "ann", "year": 1]])
        let address = try #require(Address(#"rows/#Key(name: "ann", year: 1)"#))
        try journal.append(
            [
                JournalEntry(version: 1, name: "Came", payload: came),
                JournalEntry(
                    version: 2, name: Bump.actionName, payload: DataFormat.cbor.bytes(of: [:]),
                    address: address),
            ], after: .start)
        #expect(try await erase(.replacing("ann", with: "x"), Key.self).versions == [1, 2])
        #expect(!(try contents()).contains("ann"))
        let app = try await open(Key.self)
        #expect(app.store.state.rows.map(\.count) == [1])
        try await app.shutdown()
    }

    @Test func `two persons with one replacement are refused, and nothing changes`() async throws {
        try await record(["ann", "bob"])
        _ = try await erase(.replacing("ann", with: "someone"), String.self)
        let before = try contents()
        let error = await #expect(throws: ErasureError.self) {
            _ = try await erase(.replacing("bob", with: "someone"), String.self)
        }
        #expect(error?.code == .collision)
        #expect(error?.version == 4)
        let blind = await #expect(throws: ErasureError.self) {
            _ = try await journal.erase(.replacing("bob", with: "someone"))
        }
        #expect(blind?.code == .collision)
        #expect(try contents() == before)
    }

    @Test func `two persons with one replacement are refused where no entry is left`() async throws
    {
        let app = try await open(String.self, spacing: 5, retention: .compacted)
        for name in ["ann", "bob", "carl"] { try await app.dispatch(Came(id: name)) }
        for _ in 1...20 { try await app.dispatch(Tick()) }
        try await app.shutdown()
        #expect(try await journal.firstVersion() > 3)
        _ = try await journal.erase(.replacing("ann", with: "someone"))
        let before = try contents()
        let error = await #expect(throws: ErasureError.self) {
            _ = try await journal.erase(.replacing("bob", with: "someone"))
        }
        #expect(error?.code == .collision)
        #expect(try contents() == before)
        let again = try await open(String.self)
        #expect(again.store.state.rows.map(\.id) == ["someone", "bob", "carl"])
        try await again.shutdown()
    }

    @Test func `an erasure that misses the addresses is refused`() async throws {
        try await record(["ann", "bob"])
        let before = try contents()
        @Sendable func replaced(_ value: DataValue) -> DataValue {
            switch value {
            case "ann": "x"
            case .object(let fields): .object(fields.mapValues(replaced))
            case .list(let values): .list(values.map(replaced))
            default: value
            }
        }
        let erasure = Erasure(
            action: { record in
                var record = record
                record.payload = replaced(record.payload)
                return record
            }, state: { replaced($0) })
        let error = await #expect(throws: ErasureError.self) {
            _ = try await erase(erasure, String.self)
        }
        #expect(error?.code == .missedRow)
        #expect(error?.version == 2)
        #expect(
            error?.description == """
                After the erasure, entry 2 would not reach the row or the slice that it reached. An erasure has to \
                change the id of a row in addresses, in actions and in states alike.
                """)
        #expect(try contents() == before)
    }

    @Test func `an erasure after which nothing can be decoded is refused`() async throws {
        try await record([UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()])
        let before = try contents()
        let error = await #expect(throws: ErasureError.self) {
            _ = try await erase(
                .replacing("E621E1F8-C36C-495A-93FC-0C247A3E6E5F", with: "x"), UUID.self)
        }
        #expect(error?.code == .unreadable)
        #expect(error?.version == 1)
        #expect(try contents() == before)
        let other = "00000000-0000-0000-0000-000000000000"
        _ = try await erase(
            .replacing("E621E1F8-C36C-495A-93FC-0C247A3E6E5F", with: other), UUID.self)
        let app = try await open(UUID.self)
        #expect(app.store.state.rows.map(\.count) == [1])
        try await app.shutdown()
    }

    @Test func `an entry that came meanwhile ends an erasure with a conflict`() async throws {
        try await record(["ann"])
        let error = await #expect(throws: ErasureError.self) {
            _ = try await journal.erase(.replacing("ann", with: "x")) { [journal] _, last in
                try? journal.append(
                    [JournalEntry(version: last + 1, name: "Tick")],
                    after: (try? journal.lastPosition()) ?? .start)
            }
        }
        #expect(error?.code == .journal)
        #expect(error?.journalError?.code == .conflict)
        #expect(try contents().contains("ann"))
    }
}
