// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import OnwardSelectors
@testable import TestSupport

@Suite struct SelectorMemoryTests {
    /// A value that counts how many of it are alive.
    private struct Counted: Equatable, Sendable {
        let number: Int
        let life: Life

        static func == (left: Counted, right: Counted) -> Bool { left.number == right.number }
    }

    private final class Life: Sendable {
        let alive: Census
        init(_ alive: Census) {
            self.alive = alive
            alive.add(1)
        }
        deinit { alive.add(-1) }
    }

    private final class Census: Sendable {
        private let count = Guarded(0)
        var value: Int { count.withValue { $0 } }
        func add(_ number: Int) { count.withValue { $0 += number } }
    }

    private let alive = Census()

    private func counted() -> StateSelector<Shop, Counted> {
        StateSelector(\.limit) { [alive] limit in Counted(number: limit, life: Life(alive)) }
    }

    @Test
    func `when the last subscriber goes, all that was computed goes, of its inputs too`() {
        let store = makeShop()
        let inner = counted()
        let outer = StateSelector(inner) { [alive] inner in
            Counted(number: inner.number * 2, life: Life(alive))
        }
        let first = store.subscribe(.selector(outer)) { _, _ in }
        let second = store.subscribe(.selector(outer)) { _, _ in }
        _ = store.value(of: .selector(outer))
        store.dispatch(ShopAction.limit(9))
        #expect(alive.value == 2)
        #expect(store.diagnostics.selectors.count == 2)
        first.cancel()
        #expect(alive.value == 2)
        second.cancel()
        #expect(alive.value == 0)
        #expect(store.diagnostics.selectors.isEmpty)
        #expect(store.diagnostics.statistics(of: outer).evaluations == 0)
        store.dispatch(ShopAction.limit(10))
        #expect(alive.value == 0)
    }

    @Test
    func `a subscriber that cancels itself in the call leaves nothing behind`() {
        let store = makeShop()
        let tokens = Log<Subscription>()
        tokens.append(store.subscribe(.selector(counted())) { _, _ in tokens.all[0].cancel() })
        store.dispatch(ShopAction.limit(9))
        #expect(alive.value == 0)
        #expect(store.diagnostics.selectors.isEmpty)
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
    }

    @Test
    func `of selectors that are only read, the last few are remembered and no more`() {
        func remembering(_ count: Int) -> StoreLimits {
            var limits = StoreLimits()
            limits.readSelectors = count
            return limits
        }
        let store = makeShop(options: StoreOptions(limits: remembering(3)))
        let selectors = (0..<5).map { _ in counted() }
        for selector in selectors { _ = store.value(of: .selector(selector)) }
        #expect(alive.value == 3)
        _ = store.value(of: .selector(selectors[2]))
        _ = store.value(of: .selector(selectors[0]))
        #expect(store.diagnostics.statistics(of: selectors[2]).hits == 1)
        #expect(store.diagnostics.statistics(of: selectors[3]).evaluations == 0)
        #expect(alive.value == 3)
        let forgetful = makeShop(options: StoreOptions(limits: remembering(0)))
        _ = forgetful.value(of: .selector(selectors[0]))
        #expect(forgetful.diagnostics.selectors.isEmpty)
        #expect(alive.value == 3)
    }

    @Test
    func `one value is remembered, not one for each state that was read`() {
        let store = makeShop()
        let selector = counted()
        for limit in 0..<20 {
            store.dispatch(ShopAction.limit(limit))
            _ = store.value(of: .selector(selector))
        }
        #expect(alive.value == 1)
    }

    @Test
    func `reads ahead of deliveries are remembered within bounds, and until these are past`() {
        let store = makeShop()
        let selector = counted()
        let most = Guarded(0)
        let token = store.subscribe(.selector(selector)) { [alive] _, new in
            guard new.number == 100 else { return }
            for limit in 0..<20 {
                store.dispatch(ShopAction.limit(limit))
                _ = store.value(of: .selector(selector))
                most.withValue { $0 = max($0, alive.value) }
            }
        }
        store.dispatch(ShopAction.limit(100))
        // The memo's entries, and the two values that the subscriber is notified of.
        #expect(most.withValue { $0 } <= SelectorMemo.limit + 2)
        #expect(alive.value == 1)
        token.cancel()
    }

    @Test
    func `a store goes with its last owner, whatever selectors it used, and takes its cache along`()
    {
        weak var engine: Engine?
        weak var cache: SelectorCache?
        let (read, subscribed) = (counted(), counted())
        let family = SelectorFamily<Shop, Int, Int> { _ in StateSelector(\.limit) { $0 } }
        let tokens = Log<Subscription>()
        do {
            let store = makeShop()
            engine = store.engine
            cache = store.engine.selectors
            _ = store.value(of: .selector(read))
            _ = store.value(of: .selector(family(1)))
            tokens.append(store.subscribe(.selector(subscribed)) { [weak store] _, _ in _ = store })
            _ = store.scoped(to: \.left).value(of: .selector(StateSelector(\.count) { $0 }))
            store.dispatch(ShopAction.limit(9))
            #expect(alive.value == 2)
        }
        #expect(engine == nil)
        #expect(cache == nil)
        #expect(alive.value == 0)
        withExtendedLifetime((read, subscribed, tokens)) {}
    }

    @Test
    func `after shutdown nothing is kept`() async {
        let store = makeShop()
        let selector = counted()
        let token = store.subscribe(.selector(selector)) { _, _ in }
        _ = store.value(of: .selector(counted()))
        await store.shutdown()
        #expect(alive.value == 0)
        #expect(store.diagnostics.selectors.isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test
    func `after many cycles of subscribing and cancelling nothing is left`() {
        let store = makeShop()
        let family = SelectorFamily<Shop, Int, Counted> { [alive] number in
            StateSelector(\.limit) { limit in Counted(number: limit + number, life: Life(alive)) }
        }
        for cycle in 0..<scaled(20_000) {
            let token = store.subscribe(.selector(family(cycle % 7))) { _, _ in }
            let other = store.subscribe(.selector(family(cycle % 3))) { _, _ in }
            if cycle % 100 == 0 { store.dispatch(ShopAction.limit(cycle)) }
            token.cancel()
            other.cancel()
        }
        #expect(alive.value == 0)
        #expect(store.engine.selectors.nodes.isEmpty)
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
    }
}
