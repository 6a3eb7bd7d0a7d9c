// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite struct AddressTests {
    @Test(arguments: [
        "", "left", "left/counter", "todos/#7", "a%2Fb/#x%23y", "todos/#", "å/#ü 7", "%", "%/#7/%",
        "%25", String(repeating: "kids/#0/", count: 1_000) + "kids/#0",
        "todos/#" + String(repeating: "x", count: 10_000),
    ])
    func `reads back what it writes`(text: String) throws {
        let address = try #require(Address(text))
        #expect(address.description == text)
        #expect(Address(address.description) == address)
        let data = try JSONEncoder().encode([address])
        #expect(try JSONDecoder().decode([Address].self, from: data) == [address])
    }

    @Test(arguments: [
        "/", "left/", "/left", "left//counter", "a%2", "a%zz", "a#b", "a%", "#%",
        String(repeating: "x", count: 70_000),
    ])
    func `refuses text that is no address`(text: String) throws {
        #expect(Address(text) == nil)
        let data = try JSONEncoder().encode([text])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Address].self, from: data) }
    }

    @Test
    func `of a row in a row in a row reads back`() throws {
        struct Node: Identifiable, Sendable {
            let id: Int
            var count = 0
            var children: [Node] = []
        }
        func part(_ depth: Int) -> Feature<Node> {
            Feature<Node> {
                Reduce { (node: inout Node, _: CounterAction) in node.count += 1 }
                if depth > 0 { Scope(each: \.children, part(depth - 1)) }
            }
        }
        var root = Node(id: 0)
        for _ in 0..<40 { root = Node(id: 0, children: [root]) }
        let store = Store(root) { part(40) }
        let entries = Log<Address>()
        let observer = store.log.attach(Observe<Node> { entries.append($0.entry.address) })
        var inner = store
        for _ in 0..<40 {
            inner = try #require(inner.scoped(to: .row(\.children, id: 0)).unwrapped())
        }
        inner.dispatch(CounterAction.increment)
        let address = try #require(entries.all.first)
        #expect(Address(address.description) == address)
        #expect(store.dispatch(CounterAction.increment, to: address) == .accepted(2))
        #expect(inner.state.count == 2)
        observer.cancel()
    }

    @Test
    func `of a scope without a name is "%"`() throws {
        let store = Store(Bank()) { Scope(\.left, name: "", counter) }
        let address = try #require(Address("%"))
        #expect(store.dispatch(CounterAction.increment, to: address) == .accepted(1))
        #expect(store.state.left.count == 1)
    }

    @Test
    func `notifies two instances of one feature apart`() {
        let store = makeBank()
        store.scoped(to: \.left).dispatch(CounterAction.add(3))
        store.scoped(to: \.right).dispatch(CounterAction.add(4))
        #expect(store.state.left.count == 3)
        #expect(store.state.right.count == 4)
    }

    @Test
    func `without an address an action reaches all that registered`() {
        let store = makeBank(Bank(editor: Counter(), rows: [Row(id: 1), Row(id: 2)]))
        store.dispatch(CounterAction.increment)
        let state = store.state
        #expect([state.left.count, state.right.count, state.editor?.count] == [1, 1, 1])
        #expect(state.rows.map(\.count) == [1, 1])
    }

    @Test
    func `names one row, by an id from this program or by its text`() throws {
        let store = makeBank(Bank(rows: [Row(id: 1), Row(id: 2), Row(id: 3)]))
        #expect(
            store.scoped(to: .row(\.rows, id: 2)).dispatch(CounterAction.increment) == .accepted(1))
        let address = try #require(Address("rows/#3"))
        #expect(store.dispatch(CounterAction.increment, to: address) == .accepted(2))
        #expect(store.state.rows.map(\.count) == [0, 1, 1])
        #expect(store.scoped(to: .row(\.rows, id: 2)).address.description == "rows/#2")
        #expect(store.scoped(to: .row(\.rows, id: 2)).state == Row(id: 2, count: 1))
        #expect(store.scoped(to: .row(\.rows, id: 9)).state == nil)
    }

    @Test
    func `finds a row whose id cannot be read from text`() throws {
        struct Key: Hashable, Sendable, CustomStringConvertible {
            let number: Int
            var description: String { "key \(number)" }
        }
        struct Keyed: Identifiable, Sendable {
            let id: Key
            var count = 0
        }
        struct App: Sendable { var rows = [Keyed(id: Key(number: 1)), Keyed(id: Key(number: 2))] }
        let store = Store(App()) {
            Scope(
                each: \.rows,
                Feature<Keyed> { Reduce { (row: inout Keyed, _: CounterAction) in row.count += 1 } }
            )
        }
        let address = try #require(Address("rows/#key 2"))
        #expect(store.dispatch(CounterAction.increment, to: address) == .accepted(1))
        #expect(store.state.rows.map(\.count) == [0, 1])
        let none = try #require(Address("rows/#key 3"))
        #expect(store.dispatch(CounterAction.increment, to: none) == .refused(.absent))
    }

    @Test
    func `includes the features inside an instance, and not those around it`() {
        struct Pair: Sendable {
            var inner = Counter()
            var sum = 0
        }
        struct App: Sendable {
            var a = Pair()
            var b = Pair()
            var total = 0
        }
        let pair = Feature<Pair> {
            Scope(\.inner, counter)
            Reduce { (pair: inout Pair, _: CounterAction) in pair.sum += 1 }
        }
        let store = Store(App()) {
            Scope(\.a, pair)
            Scope(\.b, pair)
            Reduce { (app: inout App, _: CounterAction) in app.total += 1 }
        }
        store.scoped(to: \.a).dispatch(CounterAction.increment)
        store.scoped(to: \.b).scoped(to: \.inner).dispatch(CounterAction.increment)
        let state = store.state
        #expect(state.a.inner.count == 1 && state.a.sum == 1)
        #expect(state.b.inner.count == 1 && state.b.sum == 0)
        #expect(state.total == 0)
    }

    @Test
    func `is part of the entry`() {
        let store = makeBank(Bank(rows: [Row(id: 7)]))
        let addresses = Log<String>()
        let observer = store.log.attach(
            Observe<Bank> { addresses.append($0.entry.address.description) })
        store.dispatch(CounterAction.increment)
        store.scoped(to: \.left).dispatch(CounterAction.increment)
        store.scoped(to: .row(\.rows, id: 7)).dispatch(CounterAction.increment)
        #expect(addresses.all == ["", "left", "rows/#7"])
        observer.cancel()
    }

    @Test
    func `uses the name that a scope was given`() {
        let store = Store(Bank()) {
            Scope(\.left, name: "west", counter)
            Scope(\.right, name: "east", counter)
        }
        #expect(
            store.scoped(to: \.left, name: "west").dispatch(CounterAction.increment) == .accepted(1)
        )
        #expect(store.state.left.count == 1 && store.state.right.count == 0)
    }
}
