// SPDX-License-Identifier: MIT

import ReSwift
import Synchronization
import Testing

import struct Onward.Version

@Suite
struct ThreadsStressTests {
    /// Takes balances on whatever thread; keeps the last one and what was wrong.
    private final class Watcher: StoreSubscriber, Sendable {
        struct Seen {
            var last = -1
            var count = 0
            var wrong: [String] = []
        }
        let seen = Mutex(Seen())
        let isBusy = Atomic(false)

        func newState(state: Int) {
            if isBusy.exchange(true, ordering: .acquiringAndReleasing) {
                seen.withLock { $0.wrong.append("two calls at a time") }
            }
            seen.withLock { seen in
                if state <= seen.last { seen.wrong.append("\(state) after \(seen.last)") }
                seen.last = state
                seen.count += 1
            }
            isBusy.store(false, ordering: .releasing)
        }
    }

    @Test
    func `Dispatching from many threads loses nothing, and is told in order, one call at a time`()
        async
    {
        let store = makeBank()
        let early = Watcher()
        store.subscribe(early) { $0.select(\.balance) }
        let late = (0..<4).map { _ in Watcher() }
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<4 {
                group.addTask {
                    for step in 0..<500 {
                        store.dispatch(Deposit(amount: 1))
                        if step == index * 100 {
                            store.subscribe(late[index]) { $0.select(\.balance) }
                        }
                    }
                }
            }
        }
        await store.onward.idle()
        #expect(store.state.balance == 2_000)
        for watcher in [early] + late {
            let seen = watcher.seen.withLock { $0 }
            #expect(seen.wrong == [])
            #expect(seen.last == 2_000)
        }
    }

    @Test
    func `Subscribing and unsubscribing from many threads while others dispatch does no harm`()
        async
    {
        let store = makeBank()
        let watchers = (0..<8).map { _ in Watcher() }
        await withTaskGroup(of: Void.self) { group in
            for watcher in watchers {
                group.addTask {
                    for _ in 0..<100 {
                        watcher.seen.withLock { $0.last = -1 }
                        store.subscribe(watcher) { $0.select(\.balance) }
                        store.dispatch(Deposit(amount: 1))
                        store.unsubscribe(watcher)
                    }
                }
            }
        }
        await store.onward.idle()
        #expect(store.state.balance == 800)
        #expect(store.middleware.isEmpty)
    }

    @Test func `Middlewares can be replaced while others dispatch`() async {
        let store = makeBank()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for _ in 0..<500 { store.dispatch(Deposit(amount: 1)) } }
            group.addTask {
                for _ in 0..<200 { store.middleware = [middleware { _ in }] }
            }
        }
        #expect(store.state.balance == 500)
    }
}
