// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardTesting
import Testing

@testable import TestSupport

/// Notes the count that its slice shows when the action has been reduced.
private func notingCount(in seen: Log<Int>) -> ClosureMiddleware<Counter> {
    ClosureMiddleware { action, context in
        let result = context.next(action)
        seen.append(context.state.count)
        return result
    }
}

@Suite struct MiddlewareTests {
    /// Says nothing of its state but in the context that it takes.
    struct Plain: Middleware {
        let names: Log<String>

        func handle<A: Action>(
            _ action: A, in context: borrowing MiddlewareContext<Counter>
        ) -> DispatchResult {
            names.append("\(A.actionName) at \(context.state.count)")
            return context.next(action)
        }
    }

    @Test
    func `the type of a middleware's state is inferred from its context`() {
        let names = Log<String>()
        let store = Store(Counter()) {
            Plain(names: names)
            counter
        }
        store.dispatch(CounterAction.increment)
        #expect(names.all == ["CounterAction at 0"])
    }

    @Test
    func `sees every action before the reducers, in the order of listing`() {
        let log = Log<String>()
        func trace(_ name: String) -> ClosureMiddleware<Bank> {
            ClosureMiddleware { action, context in
                log.append("\(name) before \(context.state.balance)")
                let result = context.next(action)
                log.append("\(name) after \(context.state.balance)")
                return result
            }
        }
        let store = Store(Bank()) {
            bank
            trace("a")
            trace("b")
        }
        #expect(store.dispatch(BankAction.deposit(1)) == .accepted(1))
        #expect(log.all == ["a before 0", "b before 0", "b after 1", "a after 1"])
    }

    @Test
    func `may drop, change and add actions`() {
        let store = Store(Bank()) {
            ClosureMiddleware<Bank> { action, context in
                guard let action = action as? BankAction else { return nil }
                switch action {
                case .nothing: return .withheld
                case .deposit(let amount) where amount < 0:
                    return context.next(BankAction.deposit(0))
                case .deposit(10):
                    context.dispatch(OtherAction(by: 5))
                    return nil
                default: return nil
                }
            }
            bank
            Scope(\.other, other)
        }
        #expect(store.dispatch(BankAction.nothing) == .withheld)
        #expect(store.dispatch(BankAction.deposit(-3)) == .accepted(1))
        #expect(store.dispatch(BankAction.deposit(10)) == .accepted(3))
        #expect(store.state.balance == 10)
        #expect(store.state.other.count == 5)
    }

    @Test
    func `may delay an action: keep the context and pass it on later, from elsewhere`() async {
        let kept = Log<DeferredDispatch>()
        let store = Store(Bank()) {
            ClosureMiddleware<Bank> { action, context in
                guard case BankAction.deposit(1) = action else { return nil }
                kept.append(context.deferred())
                return .withheld
            }
            bank
        }
        #expect(store.dispatch(BankAction.deposit(1)) == .withheld)
        #expect(store.dispatch(BankAction.deposit(2)) == .accepted(1))
        await Task.detached {
            #expect(kept.all[0].next(BankAction.deposit(1)) == .accepted(2))
        }.value
        #expect(store.state.balance == 3)
    }

    @Test @MainActor
    func `may delay an action of the main actor: what is passed on elsewhere is notified there`()
        async
    {
        let kept = Log<DeferredDispatch>()
        let store = Store(Bank()) {
            ClosureMiddleware<Bank> { _, context in
                kept.append(context.deferred())
                return .withheld
            }
            bank
        }
        let recorder = Recorder<Int>()
        let token = store.subscribe(\.balance) { @MainActor old, new in
            MainActor.assertIsolated()
            recorder.record(old, new)
        }
        store.dispatch(BankAction.deposit(1))
        await Task.detached { _ = kept.all[0].next(BankAction.deposit(1)) }.value
        await store.waitUntilIdle()
        #expect(recorder.values == [1])
        token.cancel()
    }

    @Test
    func `does not make the store keep the actor that dispatched`() async {
        actor Screen {
            func tap(_ store: Store<Bank>) { store.dispatch(BankAction.deposit(1)) }
        }
        let store = Store(Bank()) {
            ClosureMiddleware<Bank> { _, _ in nil }
            bank
        }
        weak var weakly: Screen?
        do {
            let screen = Screen()
            weakly = screen
            await screen.tap(store)
        }
        #expect(weakly == nil)
        #expect(store.state.balance == 1)
    }

    @Test
    func `of a scoped feature reads its slice, and adds actions for its own instance`() {
        let seen = Log<Int>()
        let middle = Feature<Counter> {
            ClosureMiddleware<Counter> { action, context in
                seen.append(context.state.count)
                if case CounterAction.add(let n) = action, n == 1 {
                    context.dispatch(CounterAction.add(10))
                }
                return nil
            }
            counter
        }
        let store = Store(Bank()) {
            Scope(\.left, middle)
            Scope(\.right, counter)
        }
        store.dispatch(CounterAction.add(1))
        #expect(store.state.left.count == 11)
        #expect(store.state.right.count == 1)
        #expect(seen.all == [0, 0])
    }

    @Test
    func `of an optional slice or a row runs while there is one`() {
        let seen = Log<Int>()
        let watched = Feature<Counter> {
            notingCount(in: seen)
            counter
        }
        let without = Store(Bank()) {
            bank
            Scope(\.editor, watched)
        }
        #expect(without.dispatch(BankAction.deposit(1)) == .accepted(1))
        #expect(seen.all.isEmpty)
        let with = Store(Bank(editor: Counter(count: 4))) { Scope(\.editor, watched) }
        with.dispatch(CounterAction.increment)
        #expect(seen.all == [5])
    }

    @Test
    func `of a row feature gets the row that the address names, and none of another place`() {
        struct App: Sendable {
            var rows = [Row(id: 7, count: 70)]
            var others = [Row(id: 7, count: 1), Row(id: 8, count: 2)]
        }
        let seen = Log<Int>()
        let watched = Feature<Row> {
            ClosureMiddleware<Row> { _, context in
                seen.append(context.state.count)
                return nil
            }
            row
        }
        let store = Store(App()) {
            Scope(each: \.rows, watched)
            Scope(each: \.others, row)
        }
        #expect(
            store.scoped(to: .row(\.others, id: 7)).dispatch(CounterAction.increment).version != nil
        )
        #expect(
            store.scoped(to: .row(\.others, id: 8)).dispatch(CounterAction.increment).version != nil
        )
        #expect(seen.all.isEmpty)
        store.scoped(to: .row(\.rows, id: 7)).dispatch(CounterAction.increment)
        #expect(seen.all == [70])
    }

    @Test
    func `finishes with the chain it started with when the features are replaced meanwhile`() {
        let held = Guarded<Store<Bank>?>(nil)
        let log = Log<String>()
        let store = Store(Bank()) {
            ClosureMiddleware<Bank> { _, _ in
                held.withValue { $0 }?.log.replaceFeatures { bank }
                return nil
            }
            ClosureMiddleware<Bank> { _, _ in
                log.append("still here")
                return nil
            }
            bank
        }
        held.withValue { $0 = store }
        #expect(store.dispatch(BankAction.deposit(1)) == .accepted(1))
        #expect(store.dispatch(BankAction.deposit(1)) == .accepted(2))
        #expect(log.all == ["still here"])
        held.withValue { $0 = nil }
    }

    @Test(arguments: [false, true])
    func `lives on until its chain ends when the features are replaced meanwhile, and no longer`(
        _ isElsewhere: Bool
    ) {
        let held = Guarded<Store<Bank>?>(nil)
        let log = Log<String>()
        func makeStore() -> Store<Bank> {
            let parting = Parting {
                // Under the lock this would stop the program.
                log.append("gone at \(held.withValue { $0 }?.state.balance ?? -1)")
            }
            return Store(Bank()) {
                ClosureMiddleware<Bank> { action, context in
                    if isElsewhere {
                        onThreads(1) { _ in held.withValue { $0 }?.log.replaceFeatures { bank } }
                    } else {
                        held.withValue { $0 }?.log.replaceFeatures { bank }
                    }
                    let result = context.next(action)
                    withExtendedLifetime(parting) { log.append("still here") }
                    return result
                }
                bank
            }
        }
        let store = makeStore()
        held.withValue { $0 = store }
        #expect(store.dispatch(BankAction.deposit(1)) == .accepted(1))
        #expect(log.all == ["still here", "gone at 1"])
        held.withValue { $0 = nil }
    }

    @Test
    func `delays an action that goes on through the features it began with, and keeps them`() {
        let kept = Guarded<DeferredDispatch?>(nil)
        let log = Log<String>()
        func makeStore() -> Store<Bank> {
            let parting = Parting { log.append("gone") }
            return Store(Bank()) {
                ClosureMiddleware<Bank> { _, context in
                    let rest = context.deferred()
                    kept.withValue { $0 = rest }
                    return .withheld
                }
                ClosureMiddleware<Bank> { _, context in
                    withExtendedLifetime(parting) { log.append("old from \(context.origin)") }
                    return nil
                }
                bank
            }
        }
        let store = makeStore()
        store.dispatch(BankAction.deposit(1), file: "App/A.swift", line: 3)
        store.log.replaceFeatures { bank }
        #expect(log.all.isEmpty)
        let rest = kept.withValue { $0.take() }
        #expect(rest?.next(BankAction.deposit(1)) == .accepted(1))
        _ = consume rest
        #expect(log.all == ["old from App/A.swift:3", "gone"])
    }

    @Test
    func `of an optional slice shows its last value when the slice goes away meanwhile`() {
        struct Close: Action {}
        let seen = Log<Int>()
        let watched = Feature<Counter> {
            notingCount(in: seen)
        }
        let store = Store(Bank(left: Counter(count: 1), editor: Counter(count: 4))) {
            Scope(\.editor, watched)
            // Behind one whose slice is optional, it still reads its own slice.
            Scope(\.left, watched)
            Reduce { (bank: inout Bank, _: Close) in bank.editor = nil }
        }
        #expect(store.dispatch(Close()) == .accepted(1))
        #expect(seen.all == [1, 4])
    }

    @Test
    func `is the one of the new features from the next dispatch on`() {
        let log = Log<String>()
        func trace(_ name: String) -> ClosureMiddleware<Bank> {
            ClosureMiddleware { _, _ in
                log.append(name)
                return nil
            }
        }
        let store = Store(Bank()) {
            trace("old")
            bank
        }
        store.dispatch(BankAction.deposit(1))
        store.log.replaceFeatures {
            trace("new")
            bank
        }
        store.dispatch(BankAction.deposit(1))
        store.dispatch(BankAction.deposit(1))
        #expect(log.all == ["old", "new", "new"])
    }

    @Test
    func `gets address and origin of the dispatch`() {
        let log = Log<String>()
        let store = Store(Bank()) {
            ClosureMiddleware<Bank> { _, context in
                log.append("\(context.address) \(context.origin)")
                return nil
            }
            Scope(\.left, counter)
        }
        store.scoped(to: \.left).dispatch(CounterAction.increment, file: "App/A.swift", line: 3)
        #expect(log.all == ["left App/A.swift:3"])
    }
}
