// SPDX-License-Identifier: MIT

import Observation
import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import OnwardSelectors
@testable import TestSupport

private let cheap = StateSelector<Shop, [Int]>(\.prices, \.limit) { prices, limit in
    prices.filter { $0 <= limit }
}

@Suite struct SelectorTests {
    @Test
    func `makes its value of any number of properties and selectors, mixed`() {
        let store = makeShop()
        let one = StateSelector<Shop, Int>(\.limit) { $0 * 10 }
        let three = StateSelector<Shop, String>(\.limit, \.name, \.prices) {
            "\($0) \($1) \($2.count)"
        }
        let mixed = StateSelector(cheap, StateSelector(\.name), one) { "\($0) \($1) \($2)" }
        #expect(store.value(of: .selector(one)) == 20)
        #expect(store.value(of: .selector(three)) == "2 Corner 3")
        #expect(store.value(of: .selector(mixed)) == "[1, 2] Corner 20")
        #expect(store.value(of: .selector(StateSelector(\.name))) == "Corner")
        store.dispatch(ShopAction.limit(3))
        #expect(store.value(of: .selector(mixed)) == "[3, 1, 2] Corner 30")
    }

    @Test
    func `reports changes with old and new, and skips equal values`() {
        let store = makeShop()
        let recorder = Recorder<[Int]>()
        let token = store.subscribe(.selector(cheap), initially: true, recorder.record)
        store.dispatch(ShopAction.limit(1))
        store.dispatch(ShopAction.prices([1, 9]))
        store.dispatch(ShopAction.name("New"))
        store.dispatch(ShopAction.prices([8, 1]))
        store.dispatch(ShopAction.limit(8))
        #expect(recorder.values == [[1, 2], [1], [8, 1]])
        #expect(recorder.changes.map(\.old) == [[1, 2], [1, 2], [1]])
        token.cancel()
    }

    @Test
    func `is evaluated once per change of an input, however many read it`() {
        let store = makeShop()
        let sum = StateSelector(cheap) { $0.reduce(0, +) }
        let tokens = (0..<50).map { _ in store.subscribe(.selector(cheap)) { _, _ in } }
        let others = (0..<50).map { _ in
            store.subscribe(.selector(sum)) { _, _ in _ = store.value(of: .selector(cheap)) }
        }
        for limit in 3...7 {
            store.dispatch(ShopAction.limit(limit))
            for _ in 0..<10 {
                _ = (store.value(of: .selector(sum)), store.value(of: .selector(cheap)))
            }
            store.dispatch(ShopAction.name("\(limit)"))
            store.dispatch(ShopAction.limit(limit))
        }
        #expect(store.diagnostics.statistics(of: cheap).evaluations == 6)
        #expect(store.diagnostics.statistics(of: sum).evaluations == 2)
        #expect(store.diagnostics.statistics(of: cheap).hits >= 50)
        withExtendedLifetime((tokens, others)) {}
    }

    @Test
    func `a commit elsewhere in the state neither evaluates it nor compares its inputs`() {
        let store = makeShop()
        let compared = Guarded(0)
        struct Watched: Equatable, Sendable {
            let onEqual: @Sendable () -> Void
            static func == (left: Watched, right: Watched) -> Bool {
                left.onEqual()
                return true
            }
        }
        let watched = StateSelector<Shop, Watched>(\.limit, \.name) { _, _ in
            Watched { compared.withValue { $0 += 1 } }
        }
        let outer = StateSelector(watched) { _ in 0 }
        let token = store.subscribe(.selector(outer)) { _, _ in }
        let before = store.diagnostics.statistics(of: watched)
        store.dispatch(VisitAction())
        store.dispatch(CounterAction.increment)
        #expect(store.diagnostics.statistics(of: watched) == before)
        #expect(compared.withValue { $0 } == 0)
        store.dispatch(NameAction(name: "New"))
        store.dispatch(LimitAction(limit: 9))
        #expect(store.diagnostics.statistics(of: watched).evaluations == before.evaluations + 2)
        #expect(compared.withValue { $0 } == 2)
        #expect(store.diagnostics.statistics(of: outer).evaluations == 1)
        token.cancel()
    }

    @Test
    func `without readers it costs nothing: a dispatch finds nothing to notify`() {
        let store = makeShop()
        _ = store.value(of: .selector(cheap))
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
        store.dispatch(ShopAction.limit(9))
        #expect(store.diagnostics.statistics(of: cheap).evaluations == 1)
    }

    @Test
    func `reads of a state that did not change are hits, with and without subscribers`() {
        let store = makeShop()
        for _ in 0..<5 { _ = store.value(of: .selector(cheap)) }
        store.dispatch(ShopAction.visit)
        for _ in 0..<5 { _ = store.value(of: .selector(cheap)) }
        #expect(store.diagnostics.statistics(of: cheap).evaluations == 1)
        #expect(store.diagnostics.statistics(of: cheap).hits == 9)
    }

    @Test
    func `a value that cannot be compared is notified when it was computed anew`() {
        struct Opaque: Sendable { let text: String }
        let store = makeShop()
        let opaque = StateSelector<Shop, Opaque>(\.limit) { Opaque(text: "\($0)") }
        let texts = Log<String>()
        let token = store.subscribe(.selector(opaque)) { _, new in texts.append(new.text) }
        store.dispatch(ShopAction.limit(3))
        store.dispatch(ShopAction.visit)
        store.dispatch(ShopAction.limit(4))
        #expect(texts.all == ["3", "4"])
        token.cancel()
    }

    @Test
    func
        `an input that cannot be compared counts as new with every commit that may have changed it`()
    {
        struct Opaque: Sendable {}
        struct Holder: Sendable { var opaque = Opaque(), number = 0 }
        let store = Store(Holder()) {
            Scope(\.opaque, Feature<Opaque> { Reduce { (_: inout Opaque, _: VisitAction) in } })
            Scope(
                \.number, Feature<Int> { Reduce { (n: inout Int, a: LimitAction) in n = a.limit } })
        }
        let selector = StateSelector<Holder, Int>(\.opaque, \.number) { _, number in number }
        let token = store.subscribe(.selector(selector)) { _, _ in }
        store.dispatch(VisitAction())
        store.dispatch(VisitAction())
        #expect(store.diagnostics.statistics(of: selector).evaluations == 3)
        token.cancel()
    }

    @Test
    func `a selector of a selector is computed only when that one's value differs`() {
        let store = makeShop()
        let count = StateSelector(cheap) { $0.count }
        let text = StateSelector(count) { "\($0) cheap" }
        let texts = Recorder<String>()
        let token = store.subscribe(.selector(text), texts.record)
        store.dispatch(ShopAction.prices([2, 1]))
        store.dispatch(ShopAction.prices([1, 2]))
        #expect(store.diagnostics.statistics(of: cheap).evaluations == 3)
        #expect(store.diagnostics.statistics(of: count).evaluations == 3)
        #expect(store.diagnostics.statistics(of: text).evaluations == 1)
        #expect(texts.values.isEmpty)
        store.dispatch(ShopAction.prices([1]))
        #expect(texts.values == ["1 cheap"])
        token.cancel()
    }

    @Test
    func `a batch is one evaluation`() {
        let store = makeShop()
        let recorder = Recorder<[Int]>()
        let token = store.subscribe(.selector(cheap), recorder.record)
        let before = store.diagnostics.statistics(of: cheap).evaluations
        store.batch {
            for limit in 3..<20 { store.dispatch(ShopAction.limit(limit)) }
        }
        #expect(store.diagnostics.statistics(of: cheap).evaluations == before + 1)
        #expect(recorder.values == [[3, 1, 2]])
        token.cancel()
    }

    @Test
    func `reads that run ahead of deliveries take no evaluation away from them`() {
        let store = makeShop()
        let recorder = Recorder<[Int]>()
        let reads = Log<[Int]>()
        let token = store.subscribe(.selector(cheap)) { old, new in
            recorder.record(old, new)
            guard new == [1] else { return }
            for limit in [2, 3, 2] {
                store.dispatch(ShopAction.limit(limit))
                reads.append(store.value(of: .selector(cheap)))
            }
        }
        store.dispatch(ShopAction.limit(1))
        #expect(reads.all == [[1, 2], [3, 1, 2], [1, 2]])
        #expect(recorder.values == [[1], [1, 2]])
        // The first value, and each of the three others once.
        #expect(store.diagnostics.statistics(of: cheap).evaluations == 4)
        token.cancel()
    }

    @Test
    func `actors work as for key paths`() async {
        actor Board {
            var shown: [[Int]] = []
            func show(_ prices: [Int]) { shown.append(prices) }
        }
        let store = makeShop()
        let board = Board()
        let main = Recorder<[Int]>()
        let tokens = [
            store.subscribe(.selector(cheap), on: board) { board, _, new in board.show(new) },
            store.subscribe(.selector(cheap)) { @MainActor old, new in main.record(old, new) },
        ]
        store.dispatch(ShopAction.limit(1))
        store.dispatch(ShopAction.limit(3))
        await store.waitUntilIdle()
        #expect(await board.shown.last == [3, 1, 2])
        #expect(main.values.last == [3, 1, 2])
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `travel to another state is followed as any commit is`() {
        let store = makeShop()
        let recorder = Recorder<[Int]>()
        let token = store.subscribe(.selector(cheap), recorder.record)
        let controller = store.log.attach(gate: AcceptAll())
        let first = store.state
        store.dispatch(ShopAction.limit(1))
        controller.install(first, replacing: store.log.version)
        #expect(recorder.values == [[1], [1, 2]])
        #expect(store.value(of: .selector(cheap)) == [1, 2])
        token.cancel()
    }
}

@Suite struct ScopedSelectorTests {
    private let doubled = StateSelector<Counter, Int>(\.count) { $0 * 2 }

    @Test
    func `works in stores of slices, one cache for each place`() {
        let store = makeShop()
        let (left, right) = (store.scoped(to: \.left), store.scoped(to: \.right))
        let (ofLeft, ofRight) = (Recorder<Int>(), Recorder<Int>())
        let tokens = [
            left.subscribe(.selector(doubled), ofLeft.record),
            right.subscribe(.selector(doubled), ofRight.record),
            store.scoped(to: \.left).subscribe(.selector(doubled)) { _, _ in },
        ]
        left.dispatch(CounterAction.increment)
        left.dispatch(CounterAction.increment)
        right.dispatch(CounterAction.increment)
        #expect(ofLeft.values == [2, 4])
        #expect(ofRight.values == [2])
        #expect(left.diagnostics.statistics(of: doubled).evaluations == 3)
        #expect(right.diagnostics.statistics(of: doubled).evaluations == 2)
        #expect(store.diagnostics.selectors.count == 2)
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `works in stores of rows and of what comes and goes`() {
        let store = makeShop(Shop(rows: [Row(id: 1), Row(id: 2)]))
        let name = StateSelector<Row?, String>(\.self) {
            $0.map { "row \($0.id): \($0.count)" } ?? "none"
        }
        let (one, two) = (
            store.scoped(to: .row(\.rows, id: 1)), store.scoped(to: .row(\.rows, id: 2))
        )
        let texts = Recorder<String>()
        let token = two.subscribe(.selector(name), texts.record)
        one.dispatch(CounterAction.increment)
        two.dispatch(CounterAction.increment)
        #expect(texts.values == ["row 2: 1"])
        #expect(one.value(of: .selector(name)) == "row 1: 1")
        #expect(store.scoped(to: .row(\.rows, id: 3)).value(of: .selector(name)) == "none")
        token.cancel()
    }
}

@Suite struct SelectorFamilyTests {
    private let above = SelectorFamily<Shop, Int, [Int]> { limit in
        StateSelector(\.prices) { $0.filter { $0 > limit } }
    }

    @Test
    func `equal parameters share, others don't`() {
        let store = makeShop()
        let tokens = [1, 1, 2].map { limit in store.subscribe(.selector(above(limit))) { _, _ in } }
        #expect(store.value(of: .selector(above(1))) == [3, 2])
        #expect(store.value(of: .selector(above(2))) == [3])
        store.dispatch(ShopAction.prices([9, 2]))
        #expect(store.value(of: .selector(above(1))) == [9, 2])
        #expect(store.value(of: .selector(above(2))) == [9])
        #expect(store.diagnostics.statistics(of: above(1)).evaluations == 2)
        #expect(store.diagnostics.statistics(of: above(2)).evaluations == 2)
        #expect(store.diagnostics.statistics(of: above(2)).parameter == "2")
        #expect(store.diagnostics.selectors.count == 2)
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `a member may be an input, of itself with another parameter too, or a plain property`() {
        enum Depth {
            static let sum: SelectorFamily<Shop, Int, Int> = SelectorFamily { depth in
                depth == 0 ? StateSelector(\.limit) : StateSelector(sum(depth - 1)) { $0 + 1 }
            }
        }
        let store = makeShop()
        #expect(store.value(of: .selector(Depth.sum(0))) == 2)
        #expect(store.value(of: .selector(Depth.sum(5))) == 7)
    }
}

@Suite(.timeLimit(.minutes(5))) struct SelectorValuesTests {
    @Test
    func `is iterated, from the current value on, and released at the end`() async {
        let store = makeShop()
        let every = Buffering.every(limit: 100, onOverflow: .dropOldest)
        var seen: [[Int]] = []
        for await prices in store.values(of: .selector(cheap), buffering: every) {
            seen.append(prices)
            if seen.count == 3 { break }
            store.dispatch(ShopAction.visit)
            store.dispatch(ShopAction.limit(seen.count == 1 ? 1 : 3))
        }
        #expect(seen == [[1, 2], [1], [3, 1, 2]])
        #expect(store.diagnostics.selectors.isEmpty)
    }

    @Test
    func `is observed: a change of its value is notified, once, and shows already`() {
        let store = makeShop()
        let seen = Log<[Int]>()
        withObservationTracking {
            _ = store[.selector(cheap)]
        } onChange: {
            seen.append(store[.selector(cheap)])
        }
        store.dispatch(ShopAction.visit)
        store.dispatch(ShopAction.prices([2, 1, 3]))
        store.dispatch(ShopAction.prices([2, 1, 9]))
        #expect(seen.all == [[2, 1]])
    }

    @Test
    func `a member of a family is observed like any selector, made anew for each reading`() {
        let store = makeShop()
        let above = SelectorFamily<Shop, Int, [Int]> { least in
            StateSelector(\.prices) { $0.filter { $0 >= least } }
        }
        let notified = Log<Void>()
        withObservationTracking {
            _ = store[.selector(above(2))]
        } onChange: {
            notified.append(())
        }
        store.dispatch(ShopAction.visit)
        store.dispatch(ShopAction.prices([1] + store.state.prices))
        #expect(notified.all.isEmpty)
        store.dispatch(ShopAction.prices([7]))
        #expect(notified.all.count == 1)
    }

    @Test
    func `a property as a selector is subscribed to, iterated and observed too`() async {
        let store = makeShop()
        let name = StateSelector<Shop, String>(\.name)
        let names = Recorder<String>()
        let token = store.subscribe(.selector(name), names.record)
        let notified = Log<Void>()
        withObservationTracking {
            _ = store[.selector(name)]
        } onChange: {
            notified.append(())
        }
        var iterator = store.values(of: .selector(name)).makeAsyncIterator()
        store.dispatch(ShopAction.name("New"))
        #expect(names.values == ["New"])
        #expect(notified.all.count == 1)
        #expect(await iterator.next() == "New")
        token.cancel()
    }
}
