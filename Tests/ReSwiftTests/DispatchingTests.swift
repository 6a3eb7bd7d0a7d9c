// SPDX-License-Identifier: MIT

import ReSwift
import Testing

import struct Onward.LogEntry

@Suite("Dispatching")
struct DispatchingTests {
    @Test func `An action creator gets the state and the store, and its action is dispatched`() {
        let store = makeBank(balance: 4)
        store.dispatch { state, given in
            #expect(given === store)
            return Deposit(amount: state.balance)
        }
        #expect(store.state.balance == 8)
    }

    @Test func `An action creator that makes nothing changes nothing`() {
        let store = makeBank(balance: 4)
        let creator: Store<Bank>.ActionCreator = { _, _ in nil }
        store.dispatch(creator)
        #expect(store.state.balance == 4)
        #expect(store.onward.version == 0)
    }

    @Test func `An asynchronous action creator dispatches later, as often as it likes`() {
        let store = makeBank()
        var later: (((Store<Bank>.ActionCreator) -> Void))?
        let creator: Store<Bank>.AsyncActionCreator = { _, _, callback in later = callback }
        store.dispatch(creator)
        #expect(store.state.balance == 0)
        later? { state, _ in Deposit(amount: state.balance + 1) }
        later? { state, _ in Deposit(amount: state.balance + 1) }
        #expect(store.state.balance == 3)
    }

    @Test func `The callback gets the state after each dispatch, and none where nothing was made`()
    {
        let store = makeBank()
        var states: [Int] = []
        store.dispatch(
            { _, _, callback in
                callback { _, _ in Deposit(amount: 1) }
                callback { _, _ in nil }
                callback { _, _ in Deposit(amount: 1) }
            }, callback: { states.append($0.balance) })
        #expect(states == [1, 2])
    }

    @Test func `Code for any store type dispatches, reads and subscribes`() {
        func use<S: StoreType>(_ store: S, _ listener: Listener<Int>) where S.State == Bank {
            store.subscribe(listener) { $0.select(\.balance) }
            store.dispatch(Deposit(amount: 1))
            store.dispatch(Rename(owner: "Bob"))
            store.dispatchFunction(Deposit(amount: store.state.balance))
            store.unsubscribe(listener)
            store.dispatch(Deposit(amount: 1))
        }
        let listener = Listener(of: Int.self)
        use(makeBank(), listener)
        #expect(listener.values == [0, 1, 2])
    }

    @Test func `Code that knows no state dispatches`() {
        let store = makeBank()
        let target: any DispatchingStoreType = store
        target.dispatch(Deposit(amount: 2))
        #expect(store.state.balance == 2)
    }

    @Test func `A dispatch function that is set takes every action`() {
        let store = makeBank()
        let original = store.dispatchFunction
        store.dispatchFunction = { action in
            original?(action)
            original?(action)
        }
        store.dispatch(Deposit(amount: 2))
        #expect(store.state.balance == 4)
    }
}
