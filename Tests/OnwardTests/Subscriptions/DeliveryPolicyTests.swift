// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@Suite struct DeliveryPolicyTests {
    @Test
    func `every: each commit is told`() {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let token = store.subscribe(\.balance, policy: .every, recorder.record)
        for _ in 1...5 { store.dispatch(BankAction.deposit(1)) }
        #expect(recorder.values == [1, 2, 3, 4, 5])
        token.cancel()
    }

    @Test
    func `latest: behind a slow subscriber only the newest value is told`() async {
        let store = makeBank()
        let every = Recorder<Int>()
        let latest = Recorder<Int>()
        let slow = store.subscribe(\.balance) { old, new in
            every.record(old, new)
            guard new == 1 else { return }
            for _ in 1...9 { store.dispatch(BankAction.deposit(1)) }
        }
        let token = store.subscribe(\.balance, policy: .latest, latest.record)
        store.dispatch(BankAction.deposit(1))
        await store.idle()
        #expect(every.values == Array(1...10))
        #expect(latest.values == [10])
        #expect(latest.changes.map(\.old) == [0])
        store.dispatch(BankAction.deposit(1))
        #expect(latest.values == [10, 11])
        #expect(latest.changes.map(\.old) == [0, 10])
        slow.cancel()
        token.cancel()
    }

    @Test
    func `latest: a value that came back to what was told last is not told`() {
        let store = makeBank()
        let latest = Recorder<Int>()
        let there = store.subscribe(\.balance) { _, new in
            if new == 1 { store.dispatch(BankAction.deposit(-1)) }
        }
        let token = store.subscribe(\.balance, policy: .latest, latest.record)
        store.dispatch(BankAction.deposit(1))
        #expect(latest.values.isEmpty)
        there.cancel()
        token.cancel()
    }

    @Test @MainActor
    func `latest: a busy actor is told once, of the newest value`() async {
        let store = makeBank()
        let every = Recorder<Int>()
        let latest = Recorder<Int>()
        let tokens = [
            store.subscribe(\.balance) { @MainActor old, new in every.record(old, new) },
            store.subscribe(\.balance, policy: .latest) { @MainActor old, new in
                latest.record(old, new)
            },
        ]
        // The main actor is busy with this test meanwhile.
        onThreads(1) { _ in for _ in 1...50 { store.dispatch(BankAction.deposit(1)) } }
        await store.idle()
        #expect(every.values == Array(1...50))
        #expect(latest.values == [50])
        #expect(latest.changes.map(\.old) == [0])
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `at most once: the first change at once, then the newest at most once per duration`() async
    {
        let clock = ManualClock()
        let store = makeBank(options: StoreOptions(clock: clock))
        let recorder = Recorder<Int>()
        let token = store.subscribe(
            \.balance, policy: .atMostOnce(per: .seconds(1)), recorder.record)
        for _ in 1...5 { store.dispatch(BankAction.deposit(1)) }
        #expect(recorder.values == [1])
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(999))
        store.dispatch(BankAction.deposit(1))
        #expect(recorder.values == [1])
        clock.advance(by: .milliseconds(1))
        await recorder.calls(2)
        #expect(recorder.values == [1, 6])
        #expect(recorder.changes.map(\.old) == [0, 1])
        // The call began the next pause; nothing comes in it, so the one after begins at once.
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await rest(of: clock)
        store.dispatch(BankAction.deposit(1))
        await recorder.calls(3)
        #expect(recorder.values == [1, 6, 7])
        token.cancel()
    }

    @Test
    func `at most once: a value that came back to what was told last is not told`() async {
        let clock = ManualClock()
        let store = makeBank(options: StoreOptions(clock: clock))
        let recorder = Recorder<Int>()
        let token = store.subscribe(
            \.balance, policy: .atMostOnce(per: .seconds(1)), recorder.record)
        store.dispatch(BankAction.deposit(5))
        store.dispatch(BankAction.deposit(1))
        store.dispatch(BankAction.deposit(-1))
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await rest(of: clock)
        store.dispatch(BankAction.deposit(2))
        await recorder.calls(2)
        #expect(recorder.values == [5, 7])
        #expect(recorder.changes.map(\.old) == [0, 5])
        token.cancel()
    }

    @Test
    func `at most once: nothing comes after cancelling, and the pause ends`() async {
        let clock = ManualClock()
        let store = makeBank(options: StoreOptions(clock: clock))
        let recorder = Recorder<Int>()
        let token = store.subscribe(
            \.balance, policy: .atMostOnce(per: .seconds(1)), recorder.record)
        store.dispatch(BankAction.deposit(1))
        store.dispatch(BankAction.deposit(1))
        await clock.sleepers(1)
        token.cancel()
        await rest(of: clock)
        clock.advance(by: .seconds(1))
        #expect(recorder.values == [1])
    }

    @Test
    func `at most once, on the main actor: later calls come there`() async {
        let clock = ManualClock()
        let store = makeBank(options: StoreOptions(clock: clock))
        let recorder = Recorder<Int>()
        let token = store.subscribe(\.balance, policy: .atMostOnce(per: .seconds(1))) {
            @MainActor old, new in
            MainActor.assertIsolated()
            recorder.record(old, new)
        }
        await Task.detached {
            for _ in 1...3 { store.dispatch(BankAction.deposit(1)) }
        }.value
        await recorder.calls(1)
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await recorder.calls(2)
        #expect(recorder.values == [1, 3])
        token.cancel()
    }

    @Test
    func `rows and change sets follow the policy too`() async {
        let clock = ManualClock()
        let store = makeTodos(3, options: StoreOptions(clock: clock))
        let row = Recorder<Todo?>()
        let sets = Recorder<EntityChanges<Int>>()
        let tokens = [
            store.subscribe(\.todos, id: 1, policy: .atMostOnce(per: .seconds(1)), row.record),
            store.subscribe(changesOf: \.todos, policy: .atMostOnce(per: .seconds(1))) {
                changes, _ in sets.record(changes, changes)
            },
        ]
        store.dispatch(TodoAction.toggle(1))
        store.dispatch(TodoAction.toggle(0))
        store.dispatch(TodoAction.remove(1))
        #expect(row.values == [Todo(id: 1, isDone: true)])
        await clock.sleepers(2)
        clock.advance(by: .seconds(1))
        await row.calls(2)
        await sets.calls(2)
        #expect(row.values.last == .some(nil))
        #expect(sets.values.last?.updated == [0])
        #expect(sets.values.last?.removed == [1])
        withExtendedLifetime(tokens) {}
    }

    /// Returns when nobody sleeps on the clock any more.
    private func rest(of clock: ManualClock) async {
        while clock.sleeperCount > 0 { await Task.yield() }
        // The pause that ended takes a few steps on the pool to say so.
        for _ in 0..<1_000 { await Task.yield() }
    }
}

@Suite struct DeliveryPolicyOverlapTests {
    @Test
    func `at most once: what changes during a late call is told after it`() async {
        let clock = ManualClock()
        let store = makeBank(options: StoreOptions(clock: clock))
        let recorder = Recorder<Int>()
        let token = store.subscribe(\.balance, policy: .atMostOnce(per: .seconds(1))) { old, new in
            recorder.record(old, new)
            guard new == 2 else { return }
            // While the call that came late is under way: a change, and the end of its pause.
            onThreads(1) { _ in store.dispatch(BankAction.deposit(1)) }
            while clock.sleeperCount == 0 {}
            clock.advance(by: .seconds(1))
        }
        store.dispatch(BankAction.deposit(1))
        store.dispatch(BankAction.deposit(1))
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await recorder.calls(3)
        #expect(recorder.values == [1, 2, 3])
        #expect(recorder.changes.map(\.old) == [0, 1, 2])
        token.cancel()
    }
}
