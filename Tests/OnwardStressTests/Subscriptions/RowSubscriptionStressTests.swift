// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

@Suite struct RowSubscriptionStressTests {
    @Test
    func `rows are notified in order while several threads change, watch and unwatch them`() async {
        let store = makeTodos(8)
        let violations = Guarded(0)
        let known = Guarded((0..<8).map { Todo(id: $0) as Todo? })
        let tokens = (0..<8).map { id in
            let last = Guarded<Todo?>(Todo(id: id))
            return store.subscribe(.row(\.todos, id: id)) { old, new in
                let isRight = last.withValue { last in
                    defer { last = new }
                    return last == old && old != new
                }
                if !isRight { violations.withValue { $0 += 1 } }
                known.withValue { $0[id] = new }
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
        await store.waitUntilIdle()
        #expect(violations.withValue { $0 } == 0)
        // Toggles that were replaced by others are not notified.
        #expect(known.withValue { $0 } == (0..<8).map { store.state.todos[id: $0] })
        withExtendedLifetime(tokens) {}
    }
}
