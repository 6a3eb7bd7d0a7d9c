// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import TestSupport

/// Subscribers of the actor on which an action is dispatched.
@Suite(.timeLimit(.minutes(5)), .bothWays) struct DirectCallTests {
    @Test @MainActor
    func `a subscriber of the caller's actor is called after those without isolation`() {
        let (store, called) = (makeBank(), Log<String>())
        let tokens = [
            store.subscribe(\.balance) { @MainActor _, new in called.append("main \(new)") },
            onNoActor(store) { called.append("any \($0)") },
            store.subscribe(\.doubled) { @MainActor _, new in called.append("second \(new)") },
            onNoActor(store) { called.append("last \($0)") },
        ]
        store.dispatch(BankAction.deposit(1))
        #expect(called.all == ["any 1", "last 1", "main 1", "second 2"])
        withExtendedLifetime(tokens) {}
    }

    @Test @MainActor
    func `a slow subscriber of the caller's actor does not hold the delivery of other threads`() {
        let (store, seen) = (makeBank(), Log<Int>())
        let reached = DispatchSemaphore(value: 0)
        let tokens = [
            store.subscribe(\.balance) { @MainActor _, new in
                guard new == 1 else { return }
                Thread.detachNewThread { store.dispatch(BankAction.deposit(1)) }
                // Slow until another thread has delivered.
                #expect(reached.wait(timeout: .now() + 60) == .success)
            },
            onNoActor(store) {
                seen.append($0)
                if $0 == 2 { reached.signal() }
            },
        ]
        store.dispatch(BankAction.deposit(1))
        #expect(seen.all == [1, 2])
        withExtendedLifetime(tokens) {}
    }

    @Test @MainActor
    func `what another thread leaves to the actor meanwhile comes behind`() async {
        let (store, seen) = (makeBank(), Recorder<Int>())
        let tokens = [
            store.subscribe(\.balance) { @MainActor old, new in seen.record(old, new) },
            onNoActor(store) {
                // Another thread commits, which this one will deliver.
                if $0 == 1 { onThreads(1) { _ in store.dispatch(BankAction.deposit(1)) } }
            },
            store.subscribe(\.balance) { @MainActor _, new in
                // Another thread delivers to the actor that is busy here.
                if new == 1 { onThreads(1) { _ in store.dispatch(BankAction.deposit(1)) } }
            },
        ]
        store.dispatch(BankAction.deposit(1))
        await store.waitUntilIdle()
        #expect(seen.values.last == store.state.balance)
        #expect(seen.values == Set(seen.values).sorted())
        #expect(seen.changes.map(\.old) == [0] + seen.values.dropLast())
        withExtendedLifetime(tokens) {}
    }

    @Test @MainActor
    func `calls that wait for the actor become one, up to the latest value`() async {
        let (store, seen) = (makeBank(), Recorder<Int>())
        let token = store.subscribe(\.balance) { @MainActor old, new in seen.record(old, new) }
        // The actor is busy here, so they wait.
        onThreads(1) { _ in for _ in 1...3 { store.dispatch(BankAction.deposit(1)) } }
        #expect(seen.values == [])
        store.dispatch(BankAction.deposit(1))
        #expect(seen.values == [4])
        #expect(seen.changes.map(\.old) == [0])
        await store.waitUntilIdle()
        #expect(seen.values == [4])
        token.cancel()
    }

    @Test @MainActor
    func `a dispatch from inside is notified behind the others, and knows its parent`() {
        let (store, called, parents) = (makeBank(), Log<String>(), Log<CommitVersion?>())
        let watching = store.log.attach(
            Observe<Bank> { parents.append($0.entry.parent) })
        let tokens = [
            store.subscribe(\.balance) { @MainActor _, new in
                called.append("first \(new)")
                if new == 1 {
                    store.dispatch(BankAction.deposit(1))
                    called.append("returned")
                }
            },
            store.subscribe(\.balance) { @MainActor _, new in called.append("second \(new)") },
        ]
        store.dispatch(BankAction.deposit(1))
        #expect(
            called.all == ["first 1", "returned", "second 1", "first 2", "second 2"])
        #expect(parents.all == [nil, 1])
        withExtendedLifetime((tokens, watching)) {}
    }

    @Test @MainActor
    func `subscribers of the actor that answer each other are stopped at the limit`() {
        let mistakes = Mistakes()
        let store = makeBank(options: mistakes.options(limits: StoreLimits(generations: 10)))
        let token = store.subscribe(\.balance) { @MainActor _, _ in
            store.dispatch(BankAction.deposit(1))
        }
        store.dispatch(BankAction.deposit(1))
        #expect(store.state.balance == 11)
        #expect(mistakes.kinds == [.subscriberLoop])
        token.cancel()
    }

    @Test @MainActor
    func `who is cancelled before its turn is not called`() {
        let (store, seen) = (makeBank(), Log<Int>())
        let second = Guarded<Subscription?>(nil)
        let first = store.subscribe(\.balance) { @MainActor _, _ in
            second.withValue { $0 }?.cancel()
        }
        let token = store.subscribe(\.balance) { @MainActor _, new in seen.append(new) }
        second.withValue { $0 = token }
        store.dispatch(BankAction.deposit(1))
        #expect(seen.all == [])
        first.cancel()
    }

    @Test
    func `an actor that the compiler knows is called before a dispatch on it returns`() async {
        actor Screen {
            var seen: [Int] = []
            func show(_ number: Int) { seen.append(number) }
            func deposit(in store: Store<Bank>) -> [Int] {
                store.dispatch(BankAction.deposit(1))
                return seen
            }
        }
        let (store, screen, other) = (makeBank(), Screen(), Screen())
        let tokens = [screen, other].map { screen in
            store.subscribe(.path(\.balance), on: screen) { screen, _, new in screen.show(new) }
        }
        #expect(await screen.deposit(in: store) == [1])
        await store.waitUntilIdle()
        #expect(await other.seen == [1])
        withExtendedLifetime(tokens) {}
    }

    /// A subscription without isolation.
    private nonisolated func onNoActor(
        _ store: Store<Bank>, _ body: @escaping @Sendable (Int) -> Void
    ) -> Subscription {
        store.subscribe(\.balance) { _, new in body(new) }
    }
}
