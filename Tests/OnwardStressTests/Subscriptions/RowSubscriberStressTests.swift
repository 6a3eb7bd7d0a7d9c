// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

@Suite struct RowSubscriberStressTests {
    @Test
    func `the first subscribers of a row may leave while it is notified`() async {
        let store = makeTodos(1)
        let rounds = scaled(200)
        let wrong = Guarded(0)
        for _ in 0..<rounds {
            let early = (0..<20).map { _ in store.subscribe(.row(\.todos, id: 0)) { _, _ in } }
            let last = Guarded<Todo?>(store.state.todos[id: 0])
            let token = store.subscribe(.row(\.todos, id: 0)) { old, new in
                let isRight = last.withValue { last in
                    defer { last = new }
                    return last == old && old != new
                }
                if !isRight { wrong.withValue { $0 += 1 } }
            }
            onThreads(2) { thread in
                if thread == 0 {
                    for _ in 0..<50 { store.dispatch(TodoAction.toggle(0)) }
                } else {
                    for token in early { token.cancel() }
                }
            }
            await store.waitUntilIdle()
            #expect(last.withValue { $0 } == store.state.todos[id: 0])
            token.cancel()
        }
        #expect(wrong.withValue { $0 } == 0)
    }
}
