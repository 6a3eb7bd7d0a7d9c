// SPDX-License-Identifier: MIT

import Foundation
import ReSwift
import Synchronization
import Testing

import struct Onward.CommitVersion
import class Onward.Guarded

@Suite
struct ThreadsStressTests {
    /// Takes balances on whatever thread; keeps the last one and what was wrong.
    private final class Watcher: StoreSubscriber, Sendable {
        struct Seen {
            var last = -1
            var count = 0
            var wrong: [String] = []
        }
        let seen = Guarded(Seen())
        let isBusy = Atomic(false)

        func newState(state: Int) {
            if isBusy.exchange(true, ordering: .acquiringAndReleasing) {
                seen.withValue { $0.wrong.append("two calls at a time") }
            }
            seen.withValue { seen in
                if state <= seen.last { seen.wrong.append("\(state) after \(seen.last)") }
                seen.last = state
                seen.count += 1
            }
            isBusy.store(false, ordering: .releasing)
        }
    }

    @Test
    func
        `Dispatching from many threads loses nothing, and is notified in order, one call at a time`()
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
        await store.onward.waitUntilIdle()
        #expect(store.state.balance == 2_000)
        for watcher in [early] + late {
            let seen = watcher.seen.withValue { $0 }
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
                        watcher.seen.withValue { $0.last = -1 }
                        store.subscribe(watcher) { $0.select(\.balance) }
                        store.dispatch(Deposit(amount: 1))
                        store.unsubscribe(watcher)
                    }
                }
            }
        }
        await store.onward.waitUntilIdle()
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

    @MainActor @Test
    func `A subscriber of the main actor is notified there, in order, whoever dispatches`() async {
        let store = makeBank()
        let watchers = (0..<3).map { _ in Watcher() }
        let strays = Guarded<Int>(0)
        for watcher in watchers {
            store.subscribe(watcher) {
                $0.select { bank -> Int in
                    if !Thread.isOnMainQueue { strays.withValue { $0 += 1 } }
                    return bank.balance
                }
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<500 { store.dispatch(Deposit(amount: 1)) } }
            }
            group.addTask {
                await Self.dispatchOnMain(store, watchers[2])
            }
        }
        await store.onward.waitUntilIdle()
        #expect(strays.withValue { $0 } == 0)
        for watcher in watchers {
            let seen = watcher.seen.withValue { $0 }
            #expect(seen.wrong == [])
            #expect(seen.last == 2_500)
        }
    }

    /// Dispatches 500 times, while another subscriber comes and goes.
    @MainActor
    private static func dispatchOnMain(_ store: Store<Bank>, _ watcher: Watcher) async {
        for step in 0..<500 {
            store.dispatch(Deposit(amount: 1))
            if step.isMultiple(of: 50) {
                store.unsubscribe(watcher)
                watcher.seen.withValue { $0.last = -1 }
                store.subscribe(watcher) { $0.select(\.balance) }
                await Task.yield()
            }
        }
    }

    @Test func `However many threads dispatch first, middlewares are set up once`() async {
        for _ in 0..<100 {
            let count = Guarded(0)
            let counting: Middleware<Bank> = { _, _ in
                count.withValue { $0 += 1 }
                return { next in { next($0) } }
            }
            let store = makeBank([counting])
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { store.dispatch(Deposit(amount: 1)) } }
            }
            #expect(count.withValue { $0 } == 1)
            #expect(store.state.balance == 4)
        }
    }
}

extension Thread {
    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Also on Linux, where the main actor may leave the first thread.
    fileprivate static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainKey) ?? false }
}
