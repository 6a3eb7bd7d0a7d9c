// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.bothWays) struct Promise09BoundedTests {
    @Test
    func
        `Bounded: a loop of subscribers stops after 1,000 generations, with the names in the loop`()
    {
        let mistakes = Mistakes()
        let store = makeBank(options: mistakes.options())
        let ping = store.subscribe(\.balance) { _, new in
            if new < 5_000 { store.dispatch(OtherAction()) }
        }
        let pong = store.subscribe(\.other.count) { _, _ in store.dispatch(BankAction.deposit(1)) }
        store.dispatch(BankAction.deposit(1))
        #expect(store.log.version == 1_001)
        #expect(mistakes.kinds == [.subscriberLoop])
        let text = mistakes.all.first?.description ?? ""
        #expect(
            text.contains("OtherAction, BankAction/deposit")
                || text.contains("BankAction/deposit, OtherAction"))
        #expect(text.contains("1000 times in a row"))
        ping.cancel()
        pong.cancel()
    }

    @Test
    func `Bounded: a loop of subscribers whose actions pass middleware stops too`() {
        let mistakes = Mistakes()
        let store = Store(Bank(), options: mistakes.options(limits: StoreLimits(generations: 10))) {
            ClosureMiddleware<Bank> { action, context in
                guard action is OtherAction else { return nil }
                return context.dispatch(BankAction.deposit(1))
            }
            bank
            Scope(\.other, other)
        }
        let token = store.subscribe(\.balance) { _, new in
            if new < 1_000 { store.dispatch(OtherAction()) }
        }
        store.dispatch(OtherAction())
        #expect(store.log.version == 11)
        #expect(mistakes.kinds == [.subscriberLoop])
        token.cancel()
    }

    @Test
    func `Bounded: the refused dispatch says so`() {
        let mistakes = Mistakes()
        let store = makeBank(options: mistakes.options(limits: StoreLimits(generations: 3)))
        let results = Log<DispatchResult>()
        let token = store.subscribe(\.balance) { _, _ in
            results.append(store.dispatch(BankAction.deposit(1)))
        }
        store.dispatch(BankAction.deposit(1))
        #expect(
            results.all == [.accepted(2), .accepted(3), .accepted(4), .refused(.tooDeep)])
        token.cancel()
    }

    @Test(arguments: [2, 3])
    func `Bounded: where each call dispatches several times, all answers together are limited`(
        _ count: Int
    ) {
        let mistakes = Mistakes()
        let store = makeBank(
            options: mistakes.options(limits: StoreLimits(generations: 4_000, answers: 5_000)))
        let token = store.subscribe(\.balance) { _, _ in
            for _ in 0..<count { store.dispatch(BankAction.deposit(1)) }
        }
        store.dispatch(BankAction.deposit(1))
        // The first one, the answers to it, and the answers to these.
        #expect(store.log.version == CommitVersion(1 + count + 5_000))
        #expect(mistakes.kinds == [.subscriberLoop])
        let text = mistakes.all.first?.description ?? ""
        #expect(text.contains("with 5000 dispatches; the next one was refused."))
        #expect(text.contains("BankAction/deposit"))
        store.dispatch(BankAction.deposit(1))
        #expect(mistakes.kinds == [.subscriberLoop, .subscriberLoop])
        token.cancel()
    }

    @Test
    func `Bounded: a loop with many branches is reported once when it is too long`() {
        let mistakes = Mistakes()
        let store = makeBank(options: mistakes.options(limits: StoreLimits(generations: 10)))
        let token = store.subscribe(\.balance) { _, _ in
            for _ in 0..<2 { store.dispatch(BankAction.deposit(1)) }
        }
        store.dispatch(BankAction.deposit(1))
        // Both answers to a call are notified as one.
        #expect(store.log.version == 1 + 2 * 10)
        #expect(mistakes.kinds == [.subscriberLoop])
        token.cancel()
    }

    @Test
    func `Bounded: a first answer may be of any number of dispatches`() {
        let mistakes = Mistakes()
        let store = makeBank(
            options: mistakes.options(limits: StoreLimits(generations: 10, answers: 10)))
        let token = store.subscribe(\.other.count) { _, _ in
            for _ in 0..<100 { store.dispatch(BankAction.deposit(1)) }
        }
        store.dispatch(OtherAction())
        #expect(store.state.balance == 100)
        #expect(mistakes.all.isEmpty)
        token.cancel()
    }

    @Test
    func `Bounded: middlewares that each dispatch twice are limited in all, too`() {
        let mistakes = Mistakes()
        let store = Store(
            Bank(), options: mistakes.options(limits: StoreLimits(generations: 10, answers: 1_000))
        ) {
            ClosureMiddleware<Bank> { action, context in
                for _ in 0..<2 { context.dispatch(BankAction.deposit(1)) }
                return nil
            }
            bank
        }
        store.dispatch(BankAction.deposit(1))
        #expect(store.log.version <= 2_001)
        #expect(Set(mistakes.kinds) == [.middlewareLoop])
        #expect(mistakes.all.count <= 2)
    }

    @Test
    func `Bounded: a middleware may dispatch any number of actions itself`() {
        let mistakes = Mistakes()
        let limits = StoreLimits(generations: 10, answers: 10)
        let store = Store(Bank(), options: mistakes.options(limits: limits)) {
            ClosureMiddleware<Bank> { action, context in
                guard action is OtherAction else { return nil }
                for _ in 0..<100 { context.dispatch(BankAction.deposit(1)) }
                return nil
            }
            bank
            Scope(\.left, counter)
            Scope(\.other, other)
        }
        let token = store.subscribe(\.left.count) { _, _ in store.dispatch(OtherAction()) }
        store.dispatch(OtherAction())
        #expect(store.state.balance == 100)
        store.dispatch(CounterAction.increment)
        #expect(store.state.balance == 200)
        #expect(mistakes.all.isEmpty)
        token.cancel()
    }

    @Test
    func `Bounded: what another thread dispatches while a middleware runs is not inside it`() {
        let mistakes = Mistakes()
        let held = Guarded<Store<Bank>?>(nil)
        let store = Store(
            Bank(), options: mistakes.options(limits: StoreLimits(middlewareDepth: 1))
        ) {
            ClosureMiddleware<Bank> { action, _ in
                guard action is OtherAction else { return nil }
                onThreads(1) { _ in held.withValue { $0 }?.dispatch(BankAction.deposit(1)) }
                return nil
            }
            bank
            Scope(\.other, other)
        }
        held.withValue { $0 = store }
        #expect(store.dispatch(OtherAction()) == .accepted(2))
        #expect(store.state.balance == 1)
        #expect(mistakes.all.isEmpty)
        held.withValue { $0 = nil }
    }

    @Test
    func `Bounded: the stack does not grow with the length of a chain of subscribers`() {
        // 200,000 generations on a stack of 1 MiB would need frames of five bytes.
        let length = 200_000
        let store = makeBank(options: StoreOptions(limits: StoreLimits(generations: length + 1)))
        let token = store.subscribe(\.balance) { _, new in
            if new < length { store.dispatch(BankAction.deposit(1)) }
        }
        onThreads(1) { _ in store.dispatch(BankAction.deposit(1)) }
        #expect(store.state.balance == length)
        token.cancel()
    }

    @Test
    func `Bounded: a chain that ends before the limit is no loop`() {
        let mistakes = Mistakes()
        let store = makeBank(options: mistakes.options())
        let token = store.subscribe(\.balance) { _, new in
            if new % 1_000 != 0 { store.dispatch(BankAction.deposit(1)) }
        }
        for _ in 0..<5 { store.dispatch(BankAction.deposit(1)) }
        #expect(store.state.balance == 5_000)
        #expect(mistakes.all.isEmpty)
        token.cancel()
    }

    @Test
    func `Bounded: a loop that begins with a first call stops too, and knows its parents`() {
        let mistakes = Mistakes()
        let store = makeBank(options: mistakes.options(limits: StoreLimits(generations: 10)))
        let parents = Log<CommitVersion?>()
        let observer = store.log.attach(Observe<Bank> { parents.append($0.entry.parent) })
        let token = store.subscribe(\.balance, initially: true) { _, new in
            if new < 1_000 { store.dispatch(BankAction.deposit(1)) }
        }
        #expect(store.log.version == 11)
        #expect(mistakes.kinds == [.subscriberLoop])
        #expect(parents.all == [nil] + (1...10).map { $0 })
        observer.cancel()
        token.cancel()
    }

    @Test
    func `Bounded: a loop of subscribers on the main actor stops too`() async {
        let mistakes = Mistakes()
        let store = makeBank(options: mistakes.options(limits: StoreLimits(generations: 10)))
        let token = store.subscribe(\.balance) { @MainActor _, new in
            if new < 1_000 { store.dispatch(BankAction.deposit(1)) }
        }
        store.dispatch(BankAction.deposit(1))
        await store.waitUntilIdle()
        #expect(store.state.balance == 11)
        #expect(mistakes.kinds == [.subscriberLoop])
        token.cancel()
    }

    @Test
    func `Bounded: middlewares that dispatch stop at depth 100, with the names in the loop`() {
        let mistakes = Mistakes()
        let store = Store(Bank(), options: mistakes.options()) {
            ClosureMiddleware<Bank> { action, context in
                let answer = context.next(action)
                if action is OtherAction {
                    context.dispatch(BankAction.deposit(1))
                } else {
                    context.dispatch(OtherAction())
                }
                return answer
            }
            bank
            Scope(\.other, other)
        }
        #expect(store.dispatch(BankAction.deposit(1)) == .accepted(1))
        #expect(store.log.version == 100)
        #expect(mistakes.kinds == [.middlewareLoop])
        let text = mistakes.all.first?.description ?? ""
        #expect(text.contains("OtherAction") && text.contains("BankAction/deposit"))
        #expect(text.contains("100 deep"))
    }

    @Test
    func `Bounded: a middleware that dispatches through a captured store is counted as well`() {
        let mistakes = Mistakes()
        let held = Guarded<Store<Bank>?>(nil)
        let store = Store(
            Bank(), options: mistakes.options(limits: StoreLimits(middlewareDepth: 5))
        ) {
            ClosureMiddleware<Bank> { action, _ in
                held.withValue { $0 }?.dispatch(BankAction.deposit(1))
                return nil
            }
            bank
        }
        held.withValue { $0 = store }
        store.dispatch(BankAction.deposit(1))
        #expect(store.log.version == 5)
        #expect(mistakes.kinds == [.middlewareLoop])
        held.withValue { $0 = nil }
    }

    @Test
    func `Bounded: a subscriber and a middleware that both dispatch share one count of answers`() {
        let mistakes = Mistakes()
        let limits = StoreLimits(generations: 50, answers: 200, middlewareDepth: 10)
        let store = Store(Bank(), options: mistakes.options(limits: limits)) {
            ClosureMiddleware<Bank> { action, context in
                let answer = context.next(action)
                context.dispatch(BankAction.deposit(1))
                return answer
            }
            bank
        }
        let token = store.subscribe(\.balance) { _, _ in store.dispatch(BankAction.deposit(1)) }
        store.dispatch(BankAction.deposit(1))
        // One chain of what was delivered first, and one of what the middleware added to the first.
        #expect(store.log.version <= 500)
        #expect(mistakes.all.count <= 2)
        token.cancel()
    }

    @Test
    func `Bounded: subscribers on several actors share one count of answers`() async {
        actor Answerer {
            func listen(to store: Store<Bank>) -> Subscription {
                store.subscribe(\.balance) { [weak store] (_: Int, _: Int) in
                    store?.dispatch(BankAction.deposit(1))
                }
            }
        }
        let mistakes = Mistakes()
        let limits = StoreLimits(generations: 50, answers: 300)
        let store = Store(Bank(), options: mistakes.options(limits: limits)) { bank }
        let actors = (0..<6).map { _ in Answerer() }
        var tokens: [Subscription] = []
        for actor in actors { tokens.append(await actor.listen(to: store)) }
        store.dispatch(BankAction.deposit(1))
        await store.waitUntilIdle()
        #expect(store.log.version <= 310)
        #expect(mistakes.all.count == 1)
        withExtendedLifetime((tokens, actors)) {}
    }

    @Test
    func `Bounded: a subscriber that answers each change by installing a state`() {
        let mistakes = Mistakes()
        let store = Store(Bank(), options: mistakes.options(limits: StoreLimits(generations: 20))) {
            bank
        }
        let controller = store.log.attach(gate: ClosureCommitGate { _ in true })
        let token = store.subscribe(\.balance) { _, new in
            _ = controller.install(
                Bank(balance: new + 1), replacing: store.log.version, resuming: true)
        }
        store.dispatch(BankAction.deposit(1))
        #expect(store.log.version == 21)
        #expect(mistakes.kinds == [.subscriberLoop])
        token.cancel()
    }

    @Test
    func `Bounded: a gate that dispatches whenever it decides`() {
        let mistakes = Mistakes()
        let held = Guarded<Store<Bank>?>(nil)
        let limits = StoreLimits(answers: 1_000, middlewareDepth: 5)
        let store = Store(Bank(), options: mistakes.options(limits: limits)) { bank }
        held.withValue { $0 = store }
        let controller = store.log.attach(
            gate: ClosureCommitGate { _ in
                let store = held.withValue { $0 }
                store?.dispatch(BankAction.deposit(1))
                return true
            })
        #expect(store.dispatch(BankAction.deposit(1)).version != nil)
        #expect(store.log.version == 6)
        #expect(mistakes.kinds == [.middlewareLoop])
        #expect(mistakes.all.first?.description.hasPrefix("A gate dispatched") == true)
        #expect(
            mistakes.all.first?.description.hasSuffix(
                "To fix this, only answer there, and dispatch elsewhere.") == true)
        controller.detach()
        held.withValue { $0 = nil }
    }

    @Test
    func `Bounded: a gate that takes a new turn whenever it is asked`() {
        let mistakes = Mistakes()
        let store = makeBank(options: mistakes.options())
        let controller = Guarded<CommitGateController<Bank>?>(nil)
        let asked = Log<Int>()
        let first = store.log.attach(
            gate: ClosureCommitGate { _ in
                asked.append(1)
                controller.withValue { $0 }?.reevaluate()
                return true
            })
        controller.withValue { $0 = first }
        #expect(store.dispatch(BankAction.deposit(1)) == .refused(.tooDeep))
        #expect(store.state.balance == 0)
        #expect(asked.all.count == 1_000)
        #expect(
            mistakes.all.map(\.description) == [
                """
                The gates of a store were asked about BankAction/deposit 1000 times, and after each answer \
                one of them had installed a state or reconsidered, so that no answer counted; the action was \
                refused. To fix this, don't install or reevaluate whenever `accepts(_:)` is called: only answer \
                there, and change your mind elsewhere.
                """
            ])
        first.detach()
        controller.withValue { $0 = nil }
    }

    @Test
    func `Bounded: a nested dispatch knows its parent entry`() {
        let store = makeBank()
        let parents = Log<CommitVersion?>()
        let observer = store.log.attach(Observe<Bank> { parents.append($0.entry.parent) })
        let token = store.subscribe(\.balance) { _, new in
            if new < 3 { store.dispatch(BankAction.deposit(1)) }
        }
        store.dispatch(BankAction.deposit(1))
        store.dispatch(OtherAction())
        #expect(parents.all == [nil, 1, 2, nil])
        observer.cancel()
        token.cancel()
    }

    @Test
    func
        `Bounded: commits that wait for a slow subscriber are joined, entries never`()
        async
    {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let entries = Log<CommitVersion>()
        let observer = store.log.attach(Observe<Bank> { entries.append($0.entry.version) })
        let token = store.subscribe(\.balance) { old, new in
            recorder.record(old, new)
            guard new == 1 else { return }
            // While this call lasts, no thread can deliver.
            onThreads(1) { _ in for _ in 0..<1_000 { store.dispatch(BankAction.deposit(1)) } }
        }
        store.dispatch(BankAction.deposit(1))
        await store.waitUntilIdle()
        #expect(recorder.values == [1, 1_001])
        #expect(recorder.changes.map(\.old) == [0, 1])
        #expect(entries.all == Array(1...1_001))
        observer.cancel()
        token.cancel()
    }

    @Test
    func `Bounded: no thread delivers for others for ever`() async {
        let store = makeBank()
        let recorder = Recorder<Int>()
        // A mark that the thread carries, as the next thread may get the address of an ended one.
        let isOnDispatcher = Log<Bool>()
        let token = store.subscribe(\.balance) { old, new in
            isOnDispatcher.append(Thread.current.threadDictionary["dispatches"] != nil)
            recorder.record(old, new)
            guard new == 1 else { return }
            onThreads(1) { _ in for _ in 0..<50 { store.dispatch(BankAction.deposit(1)) } }
        }
        onThreads(1) { _ in
            Thread.current.threadDictionary["dispatches"] = true
            store.dispatch(BankAction.deposit(1))
        }
        await store.waitUntilIdle()
        // The dispatching thread came back after its own commit; another one given the rest.
        #expect(recorder.values == [1, 51])
        #expect(isOnDispatcher.all == [true, false])
        token.cancel()
    }
}

extension Promise09BoundedTests {
    @Test @MainActor
    func `Bounded: calls that wait for a busy actor are joined, in order`() async {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let token = store.subscribe(\.balance) { @MainActor old, new in recorder.record(old, new) }
        // The main actor is busy with this test meanwhile.
        onThreads(1) { _ in for _ in 0..<1_000 { store.dispatch(BankAction.deposit(1)) } }
        await store.waitUntilIdle()
        store.dispatch(BankAction.deposit(1))
        #expect(recorder.values == [1_000, 1_001])
        #expect(recorder.changes.map(\.old) == [0, 1_000])
        token.cancel()
    }
}

/// A gate that decides by a closure.
private struct ClosureCommitGate: CommitGate {
    typealias State = Bank

    let answer: @Sendable (PendingCommit) -> Bool

    init(_ answer: @escaping @Sendable (PendingCommit) -> Bool) {
        self.answer = answer
    }

    func accepts(_ pending: PendingCommit) -> Bool { answer(pending) }
}
