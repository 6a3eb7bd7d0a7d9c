// SPDX-License-Identifier: MIT

import Onward
import ReduxSwift
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SubscriptionsStressTests {
    /// What each key was delivered last.
    private final class Notified: Sendable {
        private let last = Guarded<[Int: Int]>([:])

        subscript(key: Int) -> Int? { last.withValue { $0[key] } }

        func note(_ sum: Int, for key: Int) {
            last.withValue { $0[key] = sum }
        }
    }

    @Test func `Stores that take subscribers over while others dispatch lose none of them`() async {
        for _ in 0..<20 {
            let subscriptions = Subscriptions<Int, Int>()
            let notified = Notified()
            for key in 0..<4 {
                subscriptions.subscribe(key: key) { notified.note($0, for: key) }
            }
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<4 {
                    group.addTask {
                        for step in 0..<10 {
                            let store = makeCounter([subscriptions.middleware])
                            for _ in 0..<20 { _ = store.dispatch(Add(amount: 1)) }
                            let key = 10 + worker
                            subscriptions.subscribe(key: key) { notified.note($0, for: key) }
                            if step == 5 { subscriptions.unsubscribe(key: key) }
                        }
                    }
                }
            }
            let store = makeCounter([subscriptions.middleware])
            for _ in 0..<3 { _ = store.dispatch(Add(amount: 7)) }
            let keys = [0, 1, 2, 3, 10, 11, 12, 13]
            #expect(keys.map { notified[$0] } == keys.map { _ in 21 })
        }
    }

    @Test func `The state may be assigned while others dispatch, and all see the last one`() async {
        let subscriptions = Subscriptions<Int, Int>()
        let store = makeCounter([subscriptions.middleware])
        let notified = Notified()
        subscriptions.subscribe(key: 1) { notified.note($0, for: 1) }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for step in 0..<300 {
                        if worker == 0 {
                            store.state = step
                        } else {
                            _ = store.dispatch(Add(amount: 1))
                        }
                    }
                }
            }
        }
        await store.onward.waitUntilIdle()
        #expect(store.onward.version == 1_201)
        #expect(notified[1] == store.state)
    }
}
