// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import TestSupport

@Suite struct DeliveryPolicyTests {
    @Test
    func `every: each commit is notified`() {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let token = store.subscribe(\.balance, policy: .every, recorder.record)
        for _ in 1...5 { store.dispatch(BankAction.deposit(1)) }
        #expect(recorder.values == [1, 2, 3, 4, 5])
        token.cancel()
    }

    @Test
    func `latest: behind a slow subscriber only the newest value is notified`() async {
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
    func `latest: a value that came back to what was delivered last is not notified`() {
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

    @Test
    func `latest: a change is notified though the commit behind it brings an equal value`() {
        let store = makeBank()
        let latest = Recorder<Int>()
        let tokens = [
            store.subscribe(\.balance) { _, _ in store.dispatch(BankAction.nothing) },
            store.subscribe(\.balance, policy: .latest, latest.record),
        ]
        store.dispatch(BankAction.deposit(1))
        #expect(latest.values == [1])
        store.dispatch(BankAction.deposit(1))
        #expect(latest.values == [1, 2])
        #expect(latest.changes.map(\.old) == [0, 1])
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `latest: a row is notified though the commit behind it changes another one`() {
        let store = makeTodos(3)
        let latest = Recorder<Todo?>()
        let tokens = [
            store.subscribe(.row(\.todos, id: 1)) { _, new in
                if new?.isDone == true { store.dispatch(TodoAction.toggle(2)) }
            },
            store.subscribe(.row(\.todos, id: 1), policy: .latest, latest.record),
        ]
        store.dispatch(TodoAction.toggle(1))
        #expect(latest.values == [Todo(id: 1, isDone: true)])
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `latest: a part of a row is notified though the commit behind it changes another part`() {
        let store = makeLabels()
        let row = store.scoped(to: .row(\.labels, id: 1))
        let latest = Recorder<String?>()
        let tokens = [
            row.subscribe(\.?.text) { _, _ in store.dispatch(LabelAction.widen(5)) },
            row.subscribe(\.?.text, policy: .latest, latest.record),
        ]
        store.dispatch(LabelAction.say("one"))
        #expect(latest.values == ["one"])
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `latest: what an earlier commit left is notified before the later commit is`() {
        let store = makeBank()
        let order = Log<String>()
        let tokens = [
            store.subscribe(\.other.count) { _, _ in order.append("other") },
            store.subscribe(\.balance) { _, _ in
                store.batch {
                    store.dispatch(BankAction.nothing)
                    store.dispatch(OtherAction())
                }
            },
            store.subscribe(\.balance, policy: .latest) { _, new in order.append("latest \(new)") },
        ]
        store.dispatch(BankAction.deposit(1))
        #expect(order.all == ["latest 1", "other"])
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `latest: one that waits and is given something newer is called once`() {
        let store = makeTodos(3)
        let latest = Recorder<Todo?>()
        let tokens = [
            store.subscribe(.row(\.todos, id: 1)) { old, _ in
                if old?.isDone == false { store.dispatch(TodoAction.remove(1)) }
            },
            store.subscribe(.row(\.todos, id: 1), policy: .latest, latest.record),
        ]
        store.dispatch(TodoAction.toggle(1))
        #expect(latest.values == [nil])
        #expect(latest.changes.map(\.old) == [Todo(id: 1)])
        #expect(store.engine.withLock { $0.state.subscribersBehind.isEmpty })
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `latest: a subscriber that left while waiting is not remembered`() {
        let store = makeBank()
        let tokens = Log<Subscription>()
        let first = store.subscribe(\.balance) { _, _ in store.dispatch(BankAction.nothing) }
        tokens.append(store.subscribe(\.balance, policy: .latest) { _, _ in })
        let last = store.subscribe(\.balance) { _, _ in for token in tokens.all { token.cancel() } }
        store.dispatch(BankAction.deposit(1))
        #expect(store.engine.withLock { $0.state.subscribersBehind.isEmpty })
        withExtendedLifetime((first, last)) {}
    }

    @Test @MainActor
    func `latest: a busy actor is notified once, of the newest value`() async {
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
    func `at most once: a value that came back to what was delivered last is not notified`() async {
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

    @Test @MainActor
    func `at most once: of an actor that is busy for many pauses no more than two calls wait`()
        async
    {
        let clock = ManualClock()
        let store = makeBank(options: StoreOptions(clock: clock))
        let recorder = Recorder<Int>()
        let token = store.subscribe(\.balance, policy: .atMostOnce(per: .seconds(1))) {
            @MainActor old, new in recorder.record(old, new)
        }
        // The main actor is busy with this test meanwhile.
        for _ in 1...50 {
            onThreads(1) { _ in store.dispatch(BankAction.deposit(1)) }
            clock.advance(by: .seconds(1))
        }
        #expect(store.engine.withLock { $0.state.mailboxes.waitingCalls } <= 2)
        await recorder.calls(1)
        #expect(recorder.values == [1])
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await recorder.calls(2)
        #expect(recorder.values == [1, 50])
        token.cancel()
    }

    @Test
    func `rows and change sets follow the policy too`() async {
        let clock = ManualClock()
        let store = makeTodos(3, options: StoreOptions(clock: clock))
        let row = Recorder<Todo?>()
        let sets = Recorder<EntityChanges<Int>>()
        let tokens = [
            store.subscribe(
                .row(\.todos, id: 1), policy: .atMostOnce(per: .seconds(1)), row.record),
            store.subscribe(.table(\.todos), policy: .atMostOnce(per: .seconds(1))) {
                old, new in
                let changes = new.changes(since: old)
                sets.record(changes, changes)
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

    @Test
    func `at most once: in a store of a row, changes of other parts begin no pause`() async throws {
        let clock = ManualClock()
        let store = makeLabels(StoreOptions(clock: clock))
        let row = store.scoped(to: .row(\.labels, id: 1))
        let shown = try #require(store.scoped(to: .row(\.labels, id: 1)).unwrapped())
        let plain = Recorder<String?>()
        let selected = Recorder<Int?>()
        let deep = Recorder<Int>()
        let policy = DeliveryPolicy.atMostOnce(per: .seconds(1))
        let tokens = [
            row.subscribe(\.?.text, policy: policy, plain.record),
            row.subscribe(.selecting { ($0?.text.count) }, policy: policy, selected.record),
            shown.scoped(to: \.mark).subscribe(\.color, policy: policy, deep.record),
        ]
        for width in 1...3 { store.dispatch(LabelAction.widen(width)) }
        #expect(clock.sleeperCount == 0)
        store.dispatch(LabelAction.say("one"))
        store.dispatch(LabelAction.paint(7))
        #expect(plain.values == ["one"])
        #expect(selected.values == [3])
        #expect(deep.values == [7])
        // What came back to the value that was delivered last is not notified after the pause either.
        store.dispatch(LabelAction.say("two"))
        store.dispatch(LabelAction.widen(9))
        store.dispatch(LabelAction.say("one"))
        await clock.sleepers(3)
        clock.advance(by: .seconds(1))
        await rest(of: clock)
        #expect(plain.values == ["one"])
        store.dispatch(LabelAction.say("three"))
        #expect(plain.values == ["one", "three"])
        #expect(plain.changes.map(\.old) == ["", "one"])
        #expect(selected.changes.map(\.old) == [0, 3])
        withExtendedLifetime(tokens) {}
    }

    @Test @MainActor
    func `in a store of a row, changes of other parts make no calls on an actor`() async {
        let store = makeLabels()
        let row = store.scoped(to: .row(\.labels, id: 1))
        let every = Recorder<String?>()
        let latest = Recorder<String?>()
        let tokens = [
            row.subscribe(\.?.text, initially: true) { @MainActor old, new in
                every.record(old, new)
            },
            row.subscribe(\.?.text, policy: .latest) { @MainActor old, new in
                latest.record(old, new)
            },
        ]
        onThreads(1) { _ in
            for width in 1...3 { store.dispatch(LabelAction.widen(width)) }
            store.dispatch(LabelAction.say("one"))
            store.dispatch(LabelAction.widen(4))
            store.dispatch(LabelAction.say("two"))
        }
        let waitingCalls = store.engine.withLock { $0.state.mailboxes.waitingCalls }
        #expect(waitingCalls == 3)
        await store.idle()
        #expect(every.values == ["", "one", "two"])
        #expect(latest.values == ["two"])
        #expect(latest.changes.map(\.old) == [""])
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `a cancelled subscriber of a store of a row releases what it captured and received`() {
        final class Ballast: Sendable {}
        let store = makeLabels()
        let row = store.scoped(to: .row(\.labels, id: 1))
        weak var captured: Ballast?
        let token: Subscription
        do {
            let ballast = Ballast()
            captured = ballast
            token = row.subscribe(
                .selecting { [ballast] (label: Labels.Label?) -> String? in
                    withExtendedLifetime(ballast) { label?.text }
                }
            ) { _, _ in }
            store.dispatch(LabelAction.say("one"))
        }
        #expect(captured != nil)
        token.cancel()
        #expect(captured == nil)
    }

    /// Returns when no task sleeps on the clock any more.
    private func rest(of clock: ManualClock) async {
        while clock.sleeperCount > 0 { await Task.yield() }
        // The task of a pause that ended takes a few steps to report it.
        for _ in 0..<1_000 { await Task.yield() }
    }
}

/// A table of rows of several parts.
private struct Labels: Equatable, Sendable {
    struct Label: Identifiable, Equatable, Sendable {
        struct Mark: Equatable, Sendable { var color = 0 }

        let id: Int
        var text = ""
        var width = 0
        var mark = Mark()
    }

    var labels: EntityTable<Label> = [Label(id: 0), Label(id: 1)]
}

private enum LabelAction: Action {
    case say(String)
    case widen(Int)
    case paint(Int)
}

private func makeLabels(_ options: StoreOptions = StoreOptions()) -> Store<Labels> {
    Store(Labels(), options: options) {
        Reduce { (state: inout Labels, action: LabelAction) in
            switch action {
            case .say(let text): state.labels[id: 1]?.text = text
            case .widen(let width): state.labels[id: 1]?.width = width
            case .paint(let color): state.labels[id: 1]?.mark.color = color
            }
        }
    }
}

@Suite struct DeliveryPolicyOverlapTests {
    @Test
    func `at most once: what changes during a late call is notified after it`() async {
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
