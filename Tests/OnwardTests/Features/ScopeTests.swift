// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

@Suite struct ScopeTests {
    final class Storage: Sendable {}

    struct Observed: Equatable, Sendable {
        var history: [Int] = []
        var watched = Counter() {
            didSet { history.append(watched.count) }
        }
    }

    struct Deep: Equatable, Sendable {
        var pair = (a: Counter(), b: Counter())
        var maybe: Bank?
        static func == (l: Deep, r: Deep) -> Bool {
            l.pair.a == r.pair.a && l.pair.b == r.pair.b && l.maybe == r.maybe
        }
    }

    @Test
    func `reaches a property with observers, which run`() {
        let store = Store(Observed()) { Scope(\.watched, name: "watched", counter) }
        store.dispatch(CounterAction.add(2))
        store.dispatch(CounterAction.add(3))
        #expect(store.state == Observed(history: [2, 5], watched: Counter(count: 5)))
    }

    @Test
    func `takes parts directly, at a property, an optional one, and each row`() {
        let store = Store(Bank(editor: Counter(), rows: [Row(id: 1), Row(id: 2)])) {
            Scope(\.left) {
                Reduce { (left, action: CounterAction) in left.count += 1 }
                Reduce { (left, action: CounterAction) in left.count *= 10 }
            }
            Scope(\.editor) {
                Reduce { (editor, action: CounterAction) in
                    let count = editor.count
                    editor.count = count + 2
                }
            }
            Scope(each: \.rows, name: "row") {
                Reduce { (row, action: CounterAction) in row.count += 3 }
            }
        }
        store.dispatch(CounterAction.increment)
        #expect(store.state.left.count == 10)
        #expect(store.state.editor?.count == 2)
        #expect(store.state.rows.map(\.count) == [3, 3])
        store.scoped(to: .row(\.rows, id: 2), name: "row").dispatch(CounterAction.increment)
        #expect(store.state.rows.map(\.count) == [3, 6])
    }

    @Test
    func `parts that could mean an optional slice as a whole, too, handle nothing while it is nil`()
    {
        struct Open: Action {}
        let calls = Log<Bool>()
        let store = Store(Bank()) {
            Scope(\.editor) { Reduce { (editor, action: CounterAction) in calls.append(true) } }
            Scope(
                \.editor, name: "again",
                Feature {
                    Reduce { (editor, action: CounterAction) in calls.append(false) }
                })
            Reduce { (bank: inout Bank, _: Open) in bank.editor = Counter() }
        }
        store.dispatch(CounterAction.increment)
        #expect(calls.all == [])
        store.dispatch(Open())
        store.dispatch(CounterAction.increment)
        #expect(calls.all == [true, false])
    }

    @Test
    func `reaches an element of a tuple, and a slice of an optional slice`() {
        let store = Store(Deep(maybe: Bank())) {
            Scope(\.pair.b, name: "b", counter)
            Scope(\.maybe, Feature<Bank> { Scope(\.right, counter) })
        }
        store.dispatch(CounterAction.increment)
        #expect(store.state.pair.a.count == 0)
        #expect(store.state.pair.b.count == 1)
        #expect(store.state.maybe?.right.count == 1)
    }

    @Test
    func `an optional slice that a reducer removes is gone for those behind it`() {
        struct Close: Action {}
        struct App: Sendable { var editor: Counter? = Counter() }
        let late = Log<Int>()
        let store = Store(App()) {
            Reduce { (app: inout App, _: Close) in app.editor = nil }
            Scope(
                \.editor,
                Feature<Counter> { Reduce { (c: inout Counter, _: Close) in late.append(c.count) } }
            )
        }
        #expect(store.dispatch(Close()) == .accepted(1))
        #expect(late.all.isEmpty)
        #expect(store.state.editor == nil)
        let editor = store.scoped(to: \.editor)
        #expect(editor.state == nil)
        #expect(editor.dispatch(Close()) == .refused(.absent))
    }

    @Test
    func `reduces rows inside rows by their address`() throws {
        struct Section: Identifiable, Sendable {
            let id: String
            var rows: [Row]
        }
        struct App: Sendable {
            var sections = ["a", "b"].map { Section(id: $0, rows: [Row(id: 1), Row(id: 2)]) }
        }
        let section = Feature<Section> { Scope(each: \.rows, row) }
        let store = Store(App()) { Scope(each: \.sections, section) }
        let one = try #require(Address("sections/#b/rows/#2"))
        #expect(store.dispatch(CounterAction.increment, to: one) == .accepted(1))
        let part = try #require(Address("sections/#a"))
        #expect(store.dispatch(CounterAction.increment, to: part) == .accepted(2))
        #expect(store.state.sections.map { $0.rows.map(\.count) } == [[1, 1], [0, 1]])
        let none = try #require(Address("sections/#c/rows/#1"))
        #expect(store.dispatch(CounterAction.increment, to: none) == .refused(.absent))
    }

    @Test
    func `changes an array in place: nothing else holds it, so it keeps its storage`() {
        struct App: Sendable {
            var rows = (0..<1_000).map { Row(id: $0) }
            var moved = 0
        }
        struct Touch: Action {}
        @Sendable func base(_ rows: [Row]) -> Int {
            rows.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
        }
        let addresses = Log<Int>()
        let store = Store(App()) {
            Scope(
                \.rows,
                Feature<[Row]> {
                    Reduce { (rows: inout [Row], _: Touch) in
                        rows[0].count += 1
                        addresses.append(base(rows))
                    }
                })
        }
        let unrelated = store.subscribe(\.moved) { _, _ in }
        for _ in 0..<10 { store.dispatch(Touch()) }
        #expect(Set(addresses.all).count == 1)
        unrelated.cancel()
    }

    @Test
    func `a store of a slice reads, subscribes and dispatches there`() {
        let store = makeBank()
        let left = store.scoped(to: \.left)
        let log = Log<Int>()
        let token = left.subscribe(\.count) { _, new in log.append(new) }
        store.scoped(to: \.right).dispatch(CounterAction.increment)
        left.dispatch(CounterAction.increment)
        #expect(left.state.count == 1)
        #expect(left.log.snapshot.version == 2)
        #expect(log.all == [1])
        token.cancel()
    }

    @Test
    func `a store of a row is notified when the row changes, goes and comes back`() {
        struct App: Sendable { var rows = [Row(id: 1), Row(id: 2)] }
        struct Replace: Action { let rows: [Row] }
        let store = Store(App()) {
            Reduce { (app: inout App, action: Replace) in app.rows = action.rows }
            Scope(each: \.rows, row)
        }
        let log = Log<Int?>()
        let one = store.scoped(to: .row(\.rows, id: 1))
        let token = one.subscribe(\.?.count) { _, new in log.append(new) }
        one.dispatch(CounterAction.increment)
        store.scoped(to: .row(\.rows, id: 2)).dispatch(CounterAction.increment)
        store.dispatch(Replace(rows: []))
        #expect(one.dispatch(CounterAction.increment) == .refused(.absent))
        store.dispatch(Replace(rows: [Row(id: 1, count: 9)]))
        #expect(log.all == [1, nil, 9])
        token.cancel()
    }

    @Test
    func
        `a store of a row is notified of its row alone, also when another row's id has the same text`()
    {
        struct Key: Hashable, Sendable, CustomStringConvertible {
            let number: Int
            var description: String { "key" }
        }
        struct Keyed: Identifiable, Sendable {
            let id: Key
            var count = 0
        }
        struct App: Sendable { var rows = [1, 2].map { Keyed(id: Key(number: $0)) } }
        struct Touch: Action { let index: Int }
        let store = Store(App()) {
            Reduce { (app: inout App, touch: Touch) in app.rows[touch.index].count += 1 }
        }
        let log = Log<String>()
        let tokens = [1, 2].map { number in
            store.scoped(to: .row(\.rows, id: Key(number: number))).subscribe(\.?.count) { _, new in
                log.append("\(number): \(new ?? 0)")
            }
        }
        store.dispatch(Touch(index: 1))
        #expect(log.all == ["2: 1"])
        withExtendedLifetime(tokens) {}
    }

    @Test
    func
        `a store of a slice is notified of its slice alone, also when another one has the same name`()
    {
        let store = makeBank()
        let log = Log<String>()
        let left = store.scoped(to: \.left, name: "side")
        let right = store.scoped(to: \.right, name: "side")
        let tokens = [
            left.subscribe(\.isEven) { _, new in log.append("left \(new)") },
            right.subscribe(\.isEven) { _, new in log.append("right \(new)") },
        ]
        store.scoped(to: \.right).dispatch(CounterAction.increment)
        #expect(log.all == ["right false"])
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `a snapshot of a computed slice belongs to its version`() {
        let store = makeBank(Bank(rows: [Row(id: 1)]))
        let one = store.scoped(to: .row(\.rows, id: 1))
        #expect(one.log.snapshot.version == 0)
        one.dispatch(CounterAction.increment)
        #expect(one.log.snapshot.version == 1)
        #expect(one.log.snapshot.state?.count == 1)
        #expect(one.version == 1)
    }

    @Test
    func `a store of a slice keeps the engine alive when the store of the app is released`() {
        var store: Store<Bank>? = makeBank()
        let left = store?.scoped(to: \.left)
        store = nil
        #expect(left?.dispatch(CounterAction.increment) == .accepted(1))
        #expect(left?.state.count == 1)
    }
}

extension Counter {
    fileprivate var isEven: Bool { count % 2 == 0 }
}
