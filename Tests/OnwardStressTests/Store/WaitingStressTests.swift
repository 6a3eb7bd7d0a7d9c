// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct WaitingStressTests {
    @Test
    func `tasks that wait for rest again and again each come to rest`() async {
        let store = Store(Counter()) {
            counter
            OnAction { (_: CounterAction, _) -> Effect in .run { await Task.yield() } }
        }
        let (tasks, rounds) = (8, scaled(500))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
                group.addTask {
                    for _ in 0..<rounds {
                        store.dispatch(CounterAction.increment)
                        await store.waitUntilIdle()
                    }
                }
            }
        }
        #expect(store.state.count == tasks * rounds)
    }

    @Test
    func `a task that waits until its own commit is notified has been notified of it`() async {
        let store = Store(Counter()) { counter }
        let newest = Guarded(0)
        let token = store.subscribe(\.count) { _, new in newest.withValue { $0 = new } }
        let (tasks, rounds) = (8, scaled(2_000))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
                group.addTask {
                    for round in 0..<rounds {
                        let version = store.dispatch(CounterAction.increment).version ?? 0
                        if round % 3 == 0 { store.batch { _ = store.log.version } }
                        await store.log.waitUntilNotified(of: version)
                        // Each commit counts one on.
                        #expect(newest.withValue { $0 } >= Int(version))
                    }
                }
            }
        }
        #expect(newest.withValue { $0 } == tasks * rounds)
        token.cancel()
    }
}
