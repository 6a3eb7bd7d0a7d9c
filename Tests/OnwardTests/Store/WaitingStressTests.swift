// SPDX-License-Identifier: MIT

import Onward
import Testing

@Suite(.timeLimit(.minutes(5))) struct WaitingStressTests {
    @Test
    func `tasks that wait for rest again and again each come to rest`() async {
        let store = Store(Counter()) {
            counter
            React { (_: CounterAction, _) -> Effect in .run { await Task.yield() } }
        }
        let (tasks, rounds) = (8, scaled(500))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
                group.addTask {
                    for _ in 0..<rounds {
                        store.dispatch(CounterAction.increment)
                        await store.idle()
                    }
                }
            }
        }
        #expect(store.state.count == tasks * rounds)
    }
}
