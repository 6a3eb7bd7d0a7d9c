// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@Suite struct RecorderTests {
    struct Add: Action { let amount: Int }
    struct Put: Action { let card: Card }

    struct Card: Identifiable, Equatable, Sendable {
        let id: Int
        var isOpen = false
    }

    /// Something that cannot be compared.
    struct Opaque: Sendable { var number = 0 }

    struct Table: Sendable {
        var sum = 0
        var opaque = Opaque()
        var cards: EntityTable<Card> = []
    }

    static func makeStore() -> Store<Table> {
        Store(Table()) {
            Reduce { (table: inout Table, action: Add) in
                table.sum += action.amount
                table.opaque.number += action.amount
            }
            Reduce { (table: inout Table, action: Put) in
                if !table.cards.append(action.card) {
                    table.cards[id: action.card.id] = action.card
                }
            }
        }
    }

    @Test
    func `writes down old and new values in their order`() {
        let store = Self.makeStore()
        let recorder = Recorder(of: store, \.sum, initially: true)
        store.dispatch(Add(amount: 2))
        store.dispatch(Add(amount: 3))
        #expect(recorder.changes.map(\.old) == [0, 0, 2])
        #expect(recorder.values == [0, 2, 5])
        recorder.cancel()
        store.dispatch(Add(amount: 1))
        #expect(recorder.values.count == 3)
    }

    @Test
    func `waits for a number of calls`() async {
        let store = Self.makeStore()
        let recorder = Recorder(of: store, \.sum)
        async let calls: Void = recorder.waitUntilCalled(2)
        await Task.detached {
            store.dispatch(Add(amount: 1))
            store.dispatch(Add(amount: 1))
        }.value
        await calls
        #expect(recorder.values == [1, 2])
    }

    @Test
    func `takes values that cannot be compared`() {
        let store = Self.makeStore()
        let recorder = Recorder(of: store, .path(\.opaque))
        for amount in [1, 0, 2] { store.dispatch(Add(amount: amount)) }
        #expect(recorder.values.map(\.number) == [1, 1, 3])
    }

    @Test
    func `takes what a closure selects`() {
        let store = Self.makeStore()
        let recorder = Recorder(of: store, .selecting { $0.sum.isMultiple(of: 2) })
        for _ in 1...3 { store.dispatch(Add(amount: 1)) }
        #expect(recorder.values == [false, true, false])
    }

    @Test
    func `takes a row, from its arrival to its removal`() {
        let store = Self.makeStore()
        let recorder = Recorder(of: store, .row(\.cards, id: 7))
        store.dispatch(Put(card: Card(id: 7)))
        store.dispatch(Put(card: Card(id: 8)))
        store.dispatch(Put(card: Card(id: 7, isOpen: true)))
        #expect(recorder.values == [Card(id: 7), Card(id: 7, isOpen: true)])
        #expect(recorder.changes.map(\.old) == [nil, Card(id: 7)])
    }

    @Test
    func `takes what changed in a table`() {
        let store = Self.makeStore()
        let recorder = Recorder(of: store, .table(\.cards))
        store.dispatch(Put(card: Card(id: 7)))
        store.dispatch(Put(card: Card(id: 7, isOpen: true)))
        let changes = recorder.changes.map { $0.new.changes(since: $0.old) }
        #expect(changes.map(\.inserted) == [[7], []])
        #expect(changes.map(\.updated) == [[], [7]])
    }

    @Test
    func `takes selectors and the tables that they make`() {
        let store = Self.makeStore()
        let double = StateSelector<Table, Int>(\.sum) { $0 * 2 }
        let open = StateSelector<Table, EntityTable<Card>>(\.cards).filter { $0.isOpen }
        let values = Recorder(of: store, .selector(double))
        let table = Recorder(of: store, .table(open))
        store.dispatch(Add(amount: 2))
        store.dispatch(Put(card: Card(id: 1)))
        store.dispatch(Put(card: Card(id: 1, isOpen: true)))
        #expect(values.values == [4])
        #expect(table.changes.map { $0.new.changes(since: $0.old).inserted } == [[1]])
    }

    @Test
    func `takes any other subscription in a closure, and releases it with itself`() {
        let store = Self.makeStore()
        do {
            let recorder = Recorder { store.subscribe(\.sum, $0) }
            store.dispatch(Add(amount: 2))
            #expect(recorder.values == [2])
        }
        let second = Recorder<Int> { record in
            store.subscribe(.selecting({ $0.sum }, removingDuplicatesBy: { _, _ in false }), record)
        }
        store.dispatch(Add(amount: 0))
        #expect(second.values == [2])
    }

    @Test
    func `takes a sequence, and ends it with itself`() async {
        let store = Self.makeStore()
        let recorder = Recorder(
            of: store.values(of: \.sum, buffering: .every(limit: 10, onOverflow: .dropOldest)))
        await recorder.waitUntilCalled(1)
        store.dispatch(Add(amount: 2))
        await recorder.waitUntilCalled(2)
        #expect(recorder.values == [0, 2])
        #expect(recorder.changes.map(\.old) == [0, 0])
    }

    #if Testing
    @Test
    func `calls that never come end with a message`() async {
        let line = #line + 3
        let issues = await Issues.found {
            let recorder = Recorder(of: Self.makeStore(), \.sum, initially: true)
            await recorder.waitUntilCalled(2, within: .milliseconds(10))
        }
        #expect(issues.all.map(\.line) == [line])
        #expect(
            issues.texts == [
                """
                Waited 0.01 seconds of real time for 2 calls of a recorder, in vain. There were 1: 0. \
                To fix this, check that the value which it records changes so often: equal values are \
                not notified.
                """
            ])
    }
    #endif
}
