// SPDX-License-Identifier: MIT

import Foundation
import Onward
import ReSwift
import Testing

/// Where subscribers are called.
@Suite("Delivery", .timeLimit(.minutes(5)))
struct DeliveryTests {
    /// Writes down what it is notified of, and whether on the main thread.
    private final class Watcher: StoreSubscriber, @unchecked Sendable {
        private let lock = NSLock()
        private var notified: [(Int, Bool)] = []
        var react: (Int) -> Void = { _ in }

        var values: [Int] { lock.withLock { notified.map(\.0) } }
        var places: [Bool] { lock.withLock { notified.map(\.1) } }

        func newState(state: Int) {
            lock.withLock { notified.append((state, isOnMain)) }
            react(state)
        }
    }

    private func makeStore(_ delivery: SubscriberDelivery) -> ReSwift.Store<Bank> {
        ReSwift.Store(reducer: reduceBank, state: Bank(), delivery: delivery)
    }

    /// Runs `body` on a thread of its own and waits for it.
    private static func elsewhere(_ body: @escaping () -> Void) {
        let box = UncheckedBox(value: body)
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            box.value()
            isDone.signal()
        }
        isDone.wait()
    }

    @MainActor @Test
    func `A subscriber of the main thread is notified there at once of what is dispatched there`() {
        let store = makeStore(.automatic)
        let watcher = Watcher()
        store.subscribe(watcher) { $0.select(\.balance) }
        store.dispatch(Deposit(amount: 1))
        store.dispatch(Deposit(amount: 1))
        #expect(watcher.values == [0, 1, 2])
        #expect(watcher.places == [true, true, true])
    }

    @MainActor @Test
    func `What others dispatch is notified there when the main thread has time, in order`() async {
        let store = makeStore(.automatic)
        let watcher = Watcher()
        store.subscribe(watcher) { $0.select(\.balance) }
        Self.elsewhere { for _ in 0..<3 { store.dispatch(Deposit(amount: 1)) } }
        #expect(store.state.balance == 3)
        #expect(watcher.values == [0])
        await store.onward.waitUntilIdle()
        #expect(watcher.values == [0, 1, 2, 3])
        #expect(watcher.places == [true, true, true, true])
    }

    /// A screen as Swift 6 mode wants it: its conformance is the main actor's.
    @MainActor private final class Screen: @MainActor ReSwift.StoreSubscriber {
        var shown: [Int] = []

        func newState(state: Int) {
            MainActor.assertIsolated()
            shown.append(state)
        }
    }

    @MainActor @Test
    func `A screen whose conformance is the main actor's is notified there, whoever dispatches`()
        async
    {
        let store = makeStore(.automatic)
        let screen = Screen()
        store.subscribe(screen) { $0.select(\.balance) }
        store.dispatch(Deposit(amount: 1))
        Self.elsewhere { store.dispatch(Deposit(amount: 1)) }
        await store.onward.waitUntilIdle()
        #expect(screen.shown == [0, 1, 2])
        store.unsubscribe(screen)
        store.dispatch(Deposit(amount: 1))
        #expect(screen.shown == [0, 1, 2])
    }

    @MainActor @Test
    func `A dispatch on the main thread says what waited before it first`() {
        let store = makeStore(.automatic)
        let watcher = Watcher()
        store.subscribe(watcher) { $0.select(\.balance) }
        Self.elsewhere { for _ in 0..<100 { store.dispatch(Deposit(amount: 1)) } }
        store.dispatch(Deposit(amount: 1))
        #expect(watcher.values == Array(0...101))
    }

    @MainActor @Test
    func `One that subscribes while calls wait sees nothing older than its first value`() async {
        let store = makeStore(.automatic)
        let early = Watcher()
        store.subscribe(early) { $0.select(\.balance) }
        Self.elsewhere { for _ in 0..<3 { store.dispatch(Deposit(amount: 1)) } }
        let late = Watcher()
        store.subscribe(late) { $0.select(\.balance) }
        Self.elsewhere { store.dispatch(Deposit(amount: 1)) }
        await store.onward.waitUntilIdle()
        #expect(early.values == [0, 1, 2, 3, 4])
        #expect(late.values == [3, 4])
    }

    @MainActor @Test
    func `A subscriber that dispatches while others wait is notified in order`() async {
        let store = makeStore(.automatic)
        let watcher = Watcher()
        watcher.react = { balance in if balance == 2 { store.dispatch(Deposit(amount: 10)) } }
        store.subscribe(watcher) { $0.select(\.balance) }
        Self.elsewhere { for _ in 0..<3 { store.dispatch(Deposit(amount: 1)) } }
        await store.onward.waitUntilIdle()
        #expect(watcher.values == [0, 1, 2, 3, 13])
        watcher.react = { _ in }
    }

    @MainActor @Test
    func `When too much waits for the main thread, the last is delivered as one`() async {
        let store = ReSwift.Store(
            reducer: reduceBank, state: Bank(), options: .init(limits: .init(waitingCommits: 4)))
        let watcher = Watcher()
        store.subscribe(watcher) { $0.select(\.balance) }
        Self.elsewhere { for _ in 0..<100 { store.dispatch(Deposit(amount: 1)) } }
        let late = Watcher()
        store.subscribe(late) { $0.select(\.balance) }
        await store.onward.waitUntilIdle()
        #expect(watcher.values == [0, 1, 2, 3, 100])
        #expect(late.values == [100])
    }

    @MainActor @Test func `A subscriber that left is not notified of what waited`() async {
        let store = makeStore(.automatic)
        let watcher = Watcher()
        store.subscribe(watcher) { $0.select(\.balance) }
        Self.elsewhere { store.dispatch(Deposit(amount: 1)) }
        store.unsubscribe(watcher)
        await store.onward.waitUntilIdle()
        #expect(watcher.values == [0])
    }

    @MainActor @Test func `What waits is notified also when nothing holds the store any more`()
        async
    {
        let watcher = Watcher()
        let onward = {
            let store = makeStore(.automatic)
            store.subscribe(watcher) { $0.select(\.balance) }
            Self.elsewhere { store.dispatch(Deposit(amount: 1)) }
            return store.onward
        }()
        await onward.waitUntilIdle()
        #expect(watcher.values == [0, 1])
    }

    @Test func `A subscriber of another thread is notified by the thread that delivers`() {
        let store = makeStore(.automatic)
        let watcher = Watcher()
        Self.elsewhere { store.subscribe(watcher) { $0.select(\.balance) } }
        Self.elsewhere { store.dispatch(Deposit(amount: 1)) }
        #expect(watcher.values == [0, 1])
        #expect(watcher.places == [false, false])
    }

    @Test func `A store of the main actor notifies all subscribers there`() async {
        let store = makeStore(.mainActor)
        let watcher = Watcher()
        Self.elsewhere {
            store.subscribe(watcher) { $0.select(\.balance) }
            store.dispatch(Deposit(amount: 1))
        }
        await store.onward.waitUntilIdle()
        #expect(watcher.values.last == 1)
        #expect(watcher.values == Array(watcher.values.sorted()))
        #expect(watcher.places.allSatisfy { $0 })
    }

    @MainActor @Test func `A store of any thread notifies the main thread's subscribers anywhere`()
    {
        let store = makeStore(.anyThread)
        let watcher = Watcher()
        store.subscribe(watcher) { $0.select(\.balance) }
        Self.elsewhere { store.dispatch(Deposit(amount: 1)) }
        #expect(watcher.values == [0, 1])
        #expect(watcher.places == [true, false])
    }
}

/// What one thread hands to another that it waits for.
private struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
}

/// Whether this thread is the one that runs the main queue, also on Linux, where the main actor may leave
/// the first thread.
private var isOnMain: Bool { DispatchQueue.getSpecific(key: mainKey) ?? false }

private let mainKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()
