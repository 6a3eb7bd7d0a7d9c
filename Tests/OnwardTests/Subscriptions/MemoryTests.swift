// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import TestSupport

@Suite struct SubscriptionMemoryTests {
    /// Counts the objects of its kind that are alive.
    final class Counted: Sendable {
        let count: Guarded<Int>
        init(_ count: Guarded<Int>) {
            self.count = count
            count.add(1)
        }
        deinit { count.add(-1) }
    }

    @Test
    func `after 1,000,000 cycles of subscribing and cancelling nothing is left`() {
        let store = makeTodos(10)
        let alive = Guarded(0)
        for cycle in 0..<scaled(1_000_000) {
            let object = Counted(alive)
            let token =
                switch cycle % 4 {
                case 0: store.subscribe(\.filter) { _, _ in _ = object }
                case 1: store.subscribe(.row(\.todos, id: cycle % 10)) { _, _ in _ = object }
                case 2: store.subscribe(.table(\.todos)) { _, _ in _ = object }
                default: store.subscribe(.selecting(\.filter)) { _, _ in _ = object }
                }
            if cycle % 1_000 == 0 { store.dispatch(TodoAction.toggle(3)) }
            token.cancel()
        }
        #expect(alive.number == 0)
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
        #expect(store.engine.withLock { $0.state.mailboxes.count } == 0)
    }

    @Test
    func `a store that is captured by its own subscribers goes with its last owner`() {
        weak var weakly: Store<TodoApp>?
        weak var engine: Engine?
        let tokens = Log<Subscription>()
        do {
            let store = makeTodos(1)
            weakly = store
            engine = store.engine
            tokens.append(store.subscribe(\.filter) { [weak store] _, _ in _ = store })
            tokens.append(store.subscribe(.row(\.todos, id: 0)) { [weak store] _, _ in _ = store })
            store.dispatch(TodoAction.toggle(0))
        }
        #expect(weakly == nil)
        #expect(engine == nil)
        withExtendedLifetime(tokens) {}
    }
}

extension Guarded<Int> {
    var number: Int { withValue { $0 } }
    func add(_ amount: Int) { withValue { $0 += amount } }
}
