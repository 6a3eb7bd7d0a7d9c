// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.bothWays) struct Promise04ForwardOnlyTests {
    /// Dispatches a limit whenever the balance exceeds it.
    func limit(_ store: Store<Bank>, to limit: Int) -> Subscription {
        store.subscribe(\.balance) { _, balance in
            if balance > limit { store.dispatch(BankAction.limit(to: limit)) }
        }
    }

    @Test(arguments: [true, false])
    func
        `Forward only: a subscriber that limits a balance never shows another one 42 before 50, nor 42 twice`(
            limiterFirst: Bool
        )
    {
        let store = makeBank()
        var limiter = limiterFirst ? limit(store, to: 42) : nil
        let recorder = Recorder(of: store, \.balance)
        if limiter == nil { limiter = limit(store, to: 42) }
        store.dispatch(BankAction.deposit(50))
        #expect(recorder.values == [50, 42])
        #expect(recorder.changes.map(\.old) == [0, 50])
        withExtendedLifetime(limiter) {}
    }

    @Test
    func `Forward only: equal values are skipped when the value is Equatable`() {
        let store = makeBank()
        let recorder = Recorder(of: store, \.balance)
        store.dispatch(BankAction.deposit(0))
        store.dispatch(BankAction.nothing)
        store.dispatch(BankAction.deposit(1))
        #expect(recorder.values == [1])
    }

    @Test
    func `Forward only: without Equatable every commit inside the slice is notified`() {
        struct Opaque: Sendable { var number = 0 }
        struct App: Sendable {
            var opaque = Opaque()
            var other = 0
        }
        struct Touch: Action {}
        let store = Store(App()) {
            Scope(\.opaque, Feature<Opaque> { Reduce { (_: inout Opaque, _: Touch) in } })
            Scope(
                \.other,
                Feature<Int> { Reduce { (n: inout Int, _: CounterAction) in n += 1 } })
        }
        let calls = Log<Int>()
        let token = store.subscribe(.path(\.opaque)) { _, new in calls.append(new.number) }
        store.dispatch(Touch())
        store.dispatch(CounterAction.increment)
        store.dispatch(Touch())
        #expect(calls.all.count == 2)
        token.cancel()
    }

    @Test
    func `Forward only: without Equatable a property without bytes is notified of every commit`() {
        struct Marker: Sendable {}
        struct App: Sendable {
            var number = 0
            var marker = Marker()
        }
        let store = Store(App()) {
            Reduce { (app: inout App, _: CounterAction) in app.number += 1 }
        }
        let calls = Log<Int>()
        let token = store.subscribe(.path(\.marker)) { _, _ in calls.append(1) }
        store.dispatch(CounterAction.increment)
        store.dispatch(CounterAction.increment)
        #expect(calls.all.count == 2)
        token.cancel()
    }

    @Test
    func `Forward only: old is always the last value given to this subscriber`() {
        let store = makeBank()
        store.dispatch(BankAction.deposit(5))
        let late = Recorder<Int>()
        let tokens = Log<Subscription>()
        let early = Recorder(of: store, \.balance)
        let starter = store.subscribe(\.balance) { _, new in
            if new == 6 { tokens.append(store.subscribe(\.balance, late.record)) }
        }
        for _ in 1...3 { store.dispatch(BankAction.deposit(1)) }
        #expect(early.changes.map(\.old) == [5, 6, 7])
        #expect(late.changes.map(\.old) == [6, 7])
        #expect(late.values == [7, 8])
        starter.cancel()
    }

    @Test
    func
        `Forward only: who subscribes inside a callback is not notified of the commit being delivered`()
    {
        let store = makeBank()
        let inner = Recorder<Int>()
        let tokens = Log<Subscription>()
        let outer = store.subscribe(\.balance) { _, new in
            guard new == 1 else { return }
            store.dispatch(BankAction.deposit(10))
            tokens.append(store.subscribe(\.balance, initially: true, inner.record))
        }
        store.dispatch(BankAction.deposit(1))
        store.dispatch(BankAction.deposit(1))
        // The first value was read at version 2, of which others are notified after this callback.
        #expect(inner.values == [11, 12])
        #expect(inner.changes.map(\.old) == [11, 11])
        outer.cancel()
    }

    @Test
    func `Forward only: subscribing calls at once only when asked to`() {
        let store = makeBank()
        let silent = Recorder(of: store, \.balance)
        let notified = Recorder(of: store, \.balance, initially: true)
        #expect(silent.values.isEmpty)
        #expect(notified.values == [0])
    }

    @Test
    func `Forward only: a first call that dispatches is notified of that commit afterwards`() {
        let store = makeBank()
        let depth = Guarded(0)
        let seen = Log<[Int]>()
        let token = store.subscribe(\.balance, initially: true) { old, new in
            let inside = depth.withValue { depth in
                depth += 1
                return depth
            }
            seen.append([old, new, inside])
            if new < 2 { store.dispatch(BankAction.deposit(1)) }
            depth.withValue { $0 -= 1 }
        }
        #expect(seen.all == [[0, 0, 1], [0, 1, 1], [1, 2, 1]])
        token.cancel()
    }

    @Test
    func `Forward only: closures, computed properties and optional chains see the same values`() {
        let store = makeBank(Bank(editor: Counter()))
        let closure = Recorder<Int>()
        let tokens = [
            store.subscribe(.selecting { $0.balance + 1 }, closure.record)
        ]
        let computed = Recorder(of: store, \.doubled)
        let chained = Recorder(of: store, \.editor?.count)
        store.dispatch(BankAction.deposit(3))
        store.dispatch(CounterAction.increment)
        #expect(closure.values == [4])
        #expect(computed.values == [6])
        #expect(chained.values == [1])
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `Forward only: a comparison of one's own decides what is a repeat`() {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let token = store.subscribe(
            .selecting(\.balance, removingDuplicatesBy: { $0 / 10 == $1 / 10 }), recorder.record)
        for _ in 1...25 { store.dispatch(BankAction.deposit(1)) }
        #expect(recorder.values == [10, 20])
        #expect(recorder.changes.map(\.old) == [0, 10])
        token.cancel()
    }

    @Test @MainActor
    func `Forward only, on the main actor: a dispatch from there is notified before it returns`() {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let token = store.subscribe(\.balance) { @MainActor old, new in
            MainActor.assertIsolated()
            recorder.record(old, new)
        }
        store.dispatch(BankAction.deposit(1))
        #expect(recorder.values == [1])
        dispatchWithoutIsolation(store)
        #expect(recorder.values == [1, 2])
        token.cancel()
    }

    nonisolated func dispatchWithoutIsolation(_ store: Store<Bank>) {
        store.dispatch(BankAction.deposit(1))
    }

    @Test
    func `Forward only, on the main actor: dispatches from elsewhere arrive there, in order`() async
    {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let token = store.subscribe(\.balance) { @MainActor old, new in
            MainActor.assertIsolated()
            recorder.record(old, new)
        }
        await Task.detached {
            for _ in 1...1_000 { store.dispatch(BankAction.deposit(1)) }
        }.value
        await store.waitUntilIdle()
        #expect(recorder.values.last == 1_000)
        #expect(recorder.values == Set(recorder.values).sorted())
        #expect(recorder.changes.map(\.old) == [0] + recorder.values.dropLast())
        token.cancel()
    }

    @Test
    func `Forward only, on the main actor: the first value comes before the changes of it`() async {
        let store = makeBank()
        let readings = Guarded(0)
        let recorder = Recorder<Int>()
        // Others commit each time the value is read, also the last time before the first call.
        let token = store.subscribe(
            .selecting { bank in
                let isEarly = readings.withValue { count in
                    count += 1
                    return count < 10
                }
                if isEarly { onThreads(1) { _ in store.dispatch(BankAction.deposit(1)) } }
                return bank.balance
            }, initially: true
        ) { @MainActor old, new in recorder.record(old, new) }
        await store.waitUntilIdle()
        // What was committed before the main actor came is joined: the latest wins, also in the first call.
        #expect(!recorder.values.isEmpty)
        #expect(recorder.values == Array(Set(recorder.values)).sorted())
        #expect(recorder.values.last == store.state.balance)
        #expect(recorder.changes.first?.old == recorder.values.first)
        #expect(recorder.changes.dropFirst().map(\.old) == recorder.values.dropLast())
        token.cancel()
    }

    actor Owner {
        private(set) var seen: [Int] = []
        private(set) var nested = 0
        private var isInside = false

        func listen(to store: Store<Bank>) -> Subscription {
            store.subscribe(.path(\.balance), on: self) { owner, _, new in
                if owner.isInside { owner.nested += 1 }
                owner.isInside = true
                owner.seen.append(new)
                if new == 2 { store.dispatch(BankAction.deposit(1)) }
                owner.isInside = false
            }
        }

        func deposit(into store: Store<Bank>) -> [Int] {
            store.dispatch(BankAction.deposit(1))
            return seen
        }
    }

    @Test
    func `Forward only, on an actor: a dispatch from it is notified before it returns`() async {
        let store = makeBank()
        let owner = Owner()
        let token = await owner.listen(to: store)
        #expect(await owner.deposit(into: store) == [1])
        #expect(await owner.deposit(into: store) == [1, 2, 3])
        store.dispatch(BankAction.deposit(1))
        await store.waitUntilIdle()
        #expect(await owner.seen == [1, 2, 3, 4])
        #expect(await owner.nested == 0)
        token.cancel()
    }
}
