// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Synchronization
import Testing

@testable import TestSupport

/// What stands for ids of rows in addresses.
@Suite struct RowTextTests {
    private struct Row<ID: Hashable & Sendable>: Identifiable, Sendable {
        let id: ID
        var count = 0
    }
    private struct Rows<ID: Hashable & Sendable>: Sendable { var rows: EntityTable<Row<ID>> = [] }
    private enum Suit: String, Codable, Sendable { case hearts = "H", spades = "S" }
    private enum Level: Int, Codable, Sendable { case low = 1, high }
    private enum Place: Codable, Hashable, Sendable { case hand, stack(Int), table(x: Int, y: Int) }
    private struct Lot: Codable, Hashable, Sendable {
        var number: Int
        var city: String?
        var tags: Set<String> = []
    }
    private struct Tag<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
        var value: Value
        init(_ value: Value) { self.value = value }
        init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(Value.self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    private func store<ID>(_ ids: [ID]) -> Store<Rows<ID>> {
        var state = Rows<ID>()
        for id in ids { state.rows.append(Row(id: id)) }
        return Store(state) {
            Scope(each: \.rows) {
                Reduce { (row: inout Row<ID>, _: CounterAction) in row.count += 1 }
            }
        }
    }

    /// Checks the texts of ids, and that each leads to its row alone.
    private func check<ID: Hashable & Sendable>(
        _ texts: KeyValuePairs<ID, String>, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let store = store(texts.map(\.key))
        for (index, (id, text)) in texts.enumerated() {
            let path = AddressPath<Rows<ID>>.row(\.rows, id: id)
            #expect(path.address.rowID == text, sourceLocation: location)
            let written = try #require(Address(path.address.description), sourceLocation: location)
            #expect(written == path.address, sourceLocation: location)
            #expect(written.hashValue == path.address.hashValue, sourceLocation: location)
            store.dispatch(CounterAction.increment, to: written)
            let counts = store.state.rows.map(\.count)
            #expect(
                counts == counts.indices.map { $0 <= index ? 1 : 0 }, "\(text)",
                sourceLocation: location)
        }
    }

    @Test func `numbers, texts and UUIDs are written as they are`() throws {
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        try check([7: "7", -1: "-1"])
        try check([UInt64.max: "18446744073709551615"])
        try check([1.5: "1.5", 1e300: "1e+300"])
        try check([true: "true", false: "false"])
        try check([
            "a/b": "a/b", "#": "#", "50%": "50%", "%2F": "%2F", "👩‍👩‍👧": "👩‍👩‍👧", "": "", "null": "null",
            "{\"a\":1}": "{\"a\":1}", "e\u{301}/\u{301}": "e\u{301}/\u{301}", ".": ".",
        ])
        try check([uuid: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"])
    }

    @Test func `a coded form that is a single value is that value`() throws {
        try check([Suit.hearts: "H", .spades: "S"])
        try check([Level.low: "1", .high: "2"])
        try check([Tag("a/#"): "a/#", Tag(""): ""])
        try check([Tag(Tag(7)): "7"])
        try check([Date(timeIntervalSinceReferenceDate: 0.5): "0.5"])
    }

    @Test func `any other coded form is JSON with sorted names`() throws {
        try check([
            Place.hand: #"{"hand":{}}"#, .stack(3): #"{"stack":{"value":3}}"#,
            .table(x: 1, y: 2): #"{"table":{"x":1,"y":2}}"#,
        ])
        try check([
            Lot(number: 1): #"{"number":1,"tags":[]}"#,
            Lot(number: 1, city: "a/#%\"\\\n\u{1}é"):
                #"{"city":"a/#%\"\\\n\u0001é","number":1,"tags":[]}"#,
            Lot(number: 2, tags: ["c", "a", "b"]): #"{"number":2,"tags":["a","b","c"]}"#,
        ])
        try check([[1, 2]: "[1,2]", []: "[]"])
        try check([["b": 1, "a": 2]: #"{"a":2,"b":1}"#])
        try check([[2: [1], 1: []]: #"{"1":[],"2":[1]}"#])
        try check([[[2]: 0, [1]: 1]: "[[1],1,[2],0]"])
    }

    @Test func `nil differs from a text that says null`() throws {
        try check([String?.none: "null", "null": #""null""#, "a": #""a""#])
        try check([7: "7", Int?.none: "null"])
    }

    @Test func `a text that no id is written as names no row`() throws {
        let numbers = store([7])
        for text in ["07", "+7", "7.0", "", "x"] {
            let address = try #require(Address("rows/#\(text)"))
            #expect(numbers.dispatch(CounterAction.increment, to: address) == .refused(.absent))
        }
        let lots = store([Lot(number: 1)])
        for text in [#"{"tags":[],"number":1}"#, #"{"number": 1,"tags":[]}"#, "{", "[[[[", "1"] {
            let address = try #require(Address("rows/#\(text)"))
            #expect(lots.dispatch(CounterAction.increment, to: address) == .refused(.absent))
        }
        let nested = String(repeating: "[", count: 60_000)
        let address = try #require(Address("rows/#\(nested)"))
        #expect(lots.dispatch(CounterAction.increment, to: address) == .refused(.absent))
    }

    /// An id that isn't `Codable`, and looks like any other.
    private struct Twin: Hashable, Sendable, CustomStringConvertible {
        let number: Int
        var description: String { number < 2 ? "twin" : "single" }
    }

    @Test func `ids that look alike are not taken for each other`() throws {
        let store = store([Twin(number: 0), Twin(number: 1), Twin(number: 2)])
        store.dispatch(CounterAction.increment, to: .row(\.rows, id: Twin(number: 1)))
        #expect(store.state.rows.map(\.count) == [0, 1, 0])
        let twin = try #require(Address("rows/#twin"))
        #expect(store.dispatch(CounterAction.increment, to: twin) == .refused(.absent))
        let single = try #require(Address("rows/#single"))
        #expect(store.dispatch(CounterAction.increment, to: single) == .accepted(2))
        #expect(store.state.rows.map(\.count) == [0, 1, 1])
        let paths = [0, 1].map { AddressPath<Rows<Twin>>.row(\.rows, id: Twin(number: $0)).address }
        #expect(paths[0] != paths[1])
    }

    /// An id whose code uses the store.
    private struct Meddler: Codable, Hashable, Sendable, CustomStringConvertible {
        static let store = Mutex<(@Sendable () -> Void)?>(nil)
        let number: Int

        init(number: Int) { self.number = number }
        init(from decoder: any Decoder) throws {
            Self.store.withLock { $0 }?()
            number = try decoder.singleValueContainer().decode(Int.self)
        }
        func encode(to encoder: any Encoder) throws {
            Self.store.withLock { $0 }?()
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
        var description: String {
            Self.store.withLock { $0 }?()
            return "\(number)"
        }
    }

    @Test func `the coding of an id may use the store that an address is dispatched to`() throws {
        let store = store([Meddler(number: 1)])
        let reads = Mutex(0)
        Meddler.store.withLock { closure in
            closure = {
                _ = store.state.rows.count
                store.subscribe(\.rows.count) { _, _ in }.cancel()
                reads.withLock { $0 += 1 }
            }
        }
        defer { Meddler.store.withLock { $0 = nil } }
        let address = try #require(Address("rows/#1"))
        #expect(store.dispatch(CounterAction.increment, to: address) == .accepted(1))
        #expect(reads.withLock { $0 } > 0)
    }

    /// Equal whatever its capitals.
    private struct Name: Codable, Hashable, Sendable {
        let text: String
        init(_ text: String) { self.text = text }
        init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
        static func == (left: Name, right: Name) -> Bool {
            left.text.lowercased() == right.text.lowercased()
        }
        func hash(into hasher: inout Hasher) { hasher.combine(text.lowercased()) }
    }

    @Test func `a row is found by any id that equals its own`() throws {
        let store = store([Name("Ann"), Name("Bob")])
        let address = try #require(Address("rows/#ANN"))
        #expect(store.dispatch(CounterAction.increment, to: address) == .accepted(1))
        store.dispatch(CounterAction.increment, to: .row(\.rows, id: Name("bob")))
        #expect(store.state.rows.map(\.count) == [1, 1])
    }
}
