// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.bothWays) struct Promise02AnyThreadTests {
    actor Notifier {
        let store: Store<Bank>
        init(_ store: Store<Bank>) { self.store = store }
        func deposit() -> DispatchResult { store.dispatch(BankAction.deposit(1)) }
    }

    @MainActor
    static func depositOnMain(_ store: Store<Bank>) -> DispatchResult {
        store.dispatch(BankAction.deposit(1))
    }

    @Test
    func
        `Any thread: dispatch, state, subscribe, cancel may be called from any thread, task or actor`()
        async
    {
        let store = makeBank()
        store.dispatch(BankAction.deposit(1))
        _ = await Task.detached { store.dispatch(BankAction.deposit(1)) }.value
        _ = await Notifier(store).deposit()
        _ = await Self.depositOnMain(store)
        onThreads(2) { _ in
            let token = store.subscribe(\.balance) { _, _ in }
            store.dispatch(BankAction.deposit(1))
            _ = store.state
            token.cancel()
        }
        #expect(store.state.balance == 6)
    }

    @Test
    func `Any thread: a subscriber may read, dispatch, subscribe and cancel without a deadlock`() {
        let store = makeBank()
        let inner = Recorder<Int>()
        let tokens = Log<Subscription>()
        let outer = store.subscribe(\.balance) { _, new in
            guard new == 1 else { return }
            _ = store.state
            tokens.append(store.subscribe(\.balance, inner.record))
            store.dispatch(BankAction.deposit(1))
            tokens.all[0].cancel()
        }
        store.dispatch(BankAction.deposit(1))
        #expect(store.state.balance == 2)
        #expect(inner.values.isEmpty)
        outer.cancel()
    }

    @Test
    func `Any thread: a selection and a comparison may read the store and dispatch`() {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let token = store.subscribe(
            .selecting(
                { [weak store] bank in
                    if bank.balance == 1, bank.other.count == 0 { store?.dispatch(OtherAction()) }
                    return store?.state.balance ?? 0
                }, removingDuplicatesBy: { [weak store] in $0 == $1 && store?.log.version != nil }),
            recorder.record)
        store.dispatch(BankAction.deposit(1))
        store.dispatch(BankAction.deposit(1))
        #expect(recorder.values == [1, 2])
        #expect(store.state.other.count == 1)
        token.cancel()
    }

    @Test
    func `Any thread: a token may be cancelled, and released, from inside a reducer`() {
        let held = Log<Subscription>()
        let store = Store(0) {
            Reduce { (count: inout Int, action: CounterAction) in
                for token in held.all { token.cancel() }
                count += 1
            }
        }
        let recorder = Recorder<Int>()
        held.append(store.subscribe(\.self, recorder.record))
        store.dispatch(CounterAction.increment)
        store.dispatch(CounterAction.increment)
        #expect(recorder.values.isEmpty)
        #expect(store.state == 2)
    }

    @Test(.timeLimit(.minutes(5)))
    func `Any thread: a task that waits for the store may be cancelled from inside a reducer`()
        async
    {
        let tasks = Log<Task<Int, any Error>>()
        let store = Store(0) {
            Reduce { (count: inout Int, _: CounterAction) in
                for task in tasks.all { task.cancel() }
                count += 1
            }
        }
        let waiting = Log<Int>()
        for _ in 0..<50 {
            tasks.append(
                Task {
                    try await store.wait { count in
                        waiting.append(count)
                        return count < 0
                    }
                })
        }
        while waiting.all.count < 50 { await Task.yield() }
        store.dispatch(CounterAction.increment)
        for task in tasks.all {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}
