// SPDX-License-Identifier: MIT

import Onward
import ReSwift
import Testing

@Suite("Store")
struct StoreTests {
    @Test func `Without a state the reducer makes the first one, of the init action`() {
        var seen: [String] = []
        let store = ReSwift.Store<Bank>(
            reducer: { action, state in
                seen.append("\(type(of: action)), \(state.map { "\($0.balance)" } ?? "no state")")
                return Bank(balance: 7)
            }, state: nil)
        #expect(store.state.balance == 7)
        #expect(seen == ["ReSwiftInit, no state"])
    }

    @Test func `With a state there is no init action`() {
        var seen = 0
        let store = ReSwift.Store<Bank>(
            reducer: { _, state in
                seen += 1
                return state ?? Bank()
            }, state: Bank(balance: 3))
        #expect(store.state.balance == 3)
        #expect(seen == 0)
    }

    @Test func `The init action goes through the middlewares, which see no state yet`() {
        var seen: [String] = []
        let watch: ReSwift.Middleware<Bank> = { _, getState in
            { next in
                { action in
                    seen.append("\(type(of: action)) \(getState() == nil)")
                    next(action)
                }
            }
        }
        let store = ReSwift.Store(reducer: reduceBank, state: nil, middleware: [watch])
        store.dispatch(Deposit(amount: 1))
        #expect(seen == ["ReSwiftInit true", "Deposit false"])
    }

    @Test func `An action that no reducer handles is fine`() {
        let store = makeBank(balance: 5)
        store.dispatch(Unknown())
        #expect(store.state.balance == 5)
    }

    @Test func `When dispatch returns, the state includes the action`() {
        let store = makeBank()
        store.dispatch(Deposit(amount: 5))
        #expect(store.state.balance == 5)
        store.dispatch(Limit.to(2))
        #expect(store.state.balance == 2)
    }

    @Test func `Inside the reducer the store has the state that the reducer was given`() {
        final class Knot { var store: ReSwift.Store<Bank>? }
        let knot = Knot()
        var seen: [Int?] = []
        knot.store = ReSwift.Store(
            reducer: { action, state in
                if let store = knot.store { seen.append(store.state?.balance) }
                return reduceBank(action: action, state: state)
            }, state: Bank(balance: 1))
        knot.store?.dispatch(Deposit(amount: 1))
        knot.store?.dispatch(Deposit(amount: 1))
        #expect(seen == [1, 2])
        #expect(knot.store?.state.balance == 3)
    }

    @Test func `Dispatching inside the reducer is reported with the action's name, and refused`() {
        final class Knot { var store: ReSwift.Store<Bank>? }
        let knot = Knot()
        let mistakes = ReportedMistakes()
        var line = 0
        knot.store = ReSwift.Store(
            reducer: { action, state in
                if case Limit.none = action {
                    line = #line + 1
                    knot.store?.dispatch(Limit.to(3))
                }
                return reduceBank(action: action, state: state)
            }, state: Bank(balance: 9), options: StoreOptions(onProgrammerError: mistakes.handler))
        knot.store?.dispatch(Limit.none)
        #expect(knot.store?.state.balance == 9)
        #expect(mistakes.all.map(\.kind) == [.dispatchInsideReducer])
        let text = mistakes.all.first?.description
        #expect(text?.hasPrefix("Limit/to was dispatched from inside a reducer, at ") == true)
        #if os(Linux)
        #expect(text?.contains(" at ReSwiftTests/StoreTests.swift:\(line). ") == true)
        #else
        #expect(text?.contains("at a line that the debugger knows") == true)
        #endif
    }

    @Test func `A subclass may override dispatch, and middlewares and action creators use it`() {
        final class Counting: ReSwift.Store<Bank>, @unchecked Sendable {
            var count = 0
            override func dispatch(_ action: any ReSwift.Action) {
                count += 1
                super.dispatch(action)
            }
        }
        let again: ReSwift.Middleware<Bank> = { dispatch, _ in
            { next in
                { action in
                    if action is Unknown { dispatch(Deposit(amount: 10)) }
                    next(action)
                }
            }
        }
        let store = Counting(reducer: reduceBank, state: Bank(), middleware: [again])
        store.dispatch(Unknown())
        store.dispatch { _, _ in Deposit(amount: 1) }
        #expect(store.count == 3)
        #expect(store.state.balance == 11)
    }

    @Test func `A subclass may override the end of an action's way`() {
        final class Deaf: ReSwift.Store<Bank>, @unchecked Sendable {
            override func _defaultDispatch(action: any ReSwift.Action) {
                if !(action is Deposit) { super._defaultDispatch(action: action) }
            }
        }
        let store = Deaf(reducer: reduceBank, state: nil)
        store.dispatch(Deposit(amount: 1))
        store.dispatch(Rename(owner: "Bob"))
        #expect(store.state.balance == 0)
        #expect(store.state.owner == "Bob")
    }

    @Test func `A store and what its middlewares hold go when nothing holds the store`() {
        final class Kept {}
        weak var store: ReSwift.Store<Bank>?
        weak var kept: Kept?
        do {
            let held = Kept()
            let made = makeBank([middleware { _ in withExtendedLifetime(held) {} }])
            let listener = Listener(of: Bank.self)
            made.subscribe(listener)
            made.dispatch(Deposit(amount: 1))
            (store, kept) = (made, held)
            #expect(listener.values.count == 2)
        }
        #expect(store == nil)
        #expect(kept == nil)
    }
}
