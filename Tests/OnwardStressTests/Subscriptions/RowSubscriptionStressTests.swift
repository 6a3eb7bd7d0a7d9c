// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

@Suite struct RowSubscriptionStressTests {
    @Test
    func `rows are notified in order while several threads change, watch and unwatch them`() async {
        let limits = Limits(waitingCommits: 1_000_000)
        let store = makeTodos(8, options: StoreOptions(limits: limits))
        let violations = Guarded(0)
        let counts = Guarded([Int](repeating: 0, count: 8))
        let tokens = (0..<8).map { id in
            let last = Guarded<Todo?>(Todo(id: id))
            return store.subscribe(.row(\.todos, id: id)) { old, new in
                let isRight = last.withValue { last in
                    defer { last = new }
                    return last == old && old != new
                }
                if !isRight { violations.withValue { $0 += 1 } }
                counts.withValue { $0[id] += 1 }
            }
        }
        let each = scaled(5_000)
        onThreads(8) { thread in
            for index in 0..<each {
                store.dispatch(TodoAction.toggle(thread))
                if index % 50 == 0 {
                    let token = store.subscribe(.row(\.todos, id: (thread + 1) % 8)) { _, _ in }
                    token.cancel()
                }
            }
        }
        await store.idle()
        #expect(violations.withValue { $0 } == 0)
        #expect(counts.withValue { $0 } == [Int](repeating: each, count: 8))
        withExtendedLifetime(tokens) {}
    }
}
