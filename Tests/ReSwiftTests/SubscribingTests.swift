// SPDX-License-Identifier: MIT

import OnwardBridge
import Testing

@testable import ReSwift

@Suite("Subscribing")
struct SubscribingTests {
    @Test func `A subscriber is notified at once, and after each action`() {
        let store = makeBank(balance: 1)
        let listener = Listener(of: Bank.self)
        store.subscribe(listener)
        #expect(listener.values.map(\.balance) == [1])
        store.dispatch(Deposit(amount: 1))
        store.dispatch(Unknown())
        #expect(listener.values.map(\.balance) == [1, 2, 2])
    }

    @Test func `Subscribing again replaces, also what was selected`() {
        let store = makeBank()
        let listener = Listener(of: Int.self)
        store.subscribe(listener) { $0.select(\.balance) }
        store.subscribe(listener) { $0.select { -$0.balance } }
        store.dispatch(Deposit(amount: 1))
        #expect(listener.values == [0, 0, -1])
    }

    @Test func `After unsubscribing it is not notified; twice does no harm`() {
        let store = makeBank()
        let listener = Listener(of: Bank.self)
        store.subscribe(listener)
        store.unsubscribe(listener)
        store.unsubscribe(listener)
        store.dispatch(Deposit(amount: 1))
        #expect(listener.values.count == 1)
        store.subscribe(listener)
        #expect(listener.values.map(\.balance) == [0, 1])
    }

    @Test func `The store keeps no subscriber alive, and drops those that are gone`() {
        let store = makeBank()
        weak var gone: Listener<Bank>?
        do {
            let listener = Listener(of: Bank.self)
            store.subscribe(listener)
            gone = listener
        }
        #expect(gone == nil)
        #expect(store.subscribers.count == 1)
        store.dispatch(Deposit(amount: 1))
        #expect(store.subscribers.count == 0)
    }

    @Test func `One that comes and goes without an action in between is dropped as well`() {
        let store = makeBank()
        for _ in 0..<1_000 { store.subscribe(Listener(of: Bank.self)) }
        #expect(store.subscribers.count <= 16)
    }

    @Test func `Subscribers are notified in the order in which they subscribed`() {
        let store = makeBank()
        var order: [Int] = []
        let listeners = (0..<50).map { index in Listener(of: Bank.self) { _ in order.append(index) }
        }
        for listener in listeners { store.subscribe(listener) }
        for index in 0..<50 where index % 3 != 1 { store.unsubscribe(listeners[index]) }
        store.subscribe(listeners[0])
        order = []
        store.dispatch(Deposit(amount: 1))
        #expect(order == Array(stride(from: 1, to: 50, by: 3)) + [0])
        store.unsubscribe(listeners[46])
        order = []
        store.dispatch(Deposit(amount: 1))
        #expect(order == Array(stride(from: 1, to: 46, by: 3)) + [49, 0])
    }

    @Test func `A subscriber may subscribe another one from its call`() {
        let store = makeBank()
        let second = Listener(of: Bank.self)
        var isFirst = true
        let first = Listener(of: Bank.self) { _ in
            defer { isFirst = false }
            if !isFirst { store.subscribe(second) }
        }
        store.subscribe(first)
        store.dispatch(Deposit(amount: 1))
        #expect(second.values.map(\.balance) == [1])
        first.react = { _ in }
        store.dispatch(Deposit(amount: 1))
        #expect(second.values.map(\.balance) == [1, 2])
    }

    @Test func `A subscriber may unsubscribe itself and others from its call`() {
        let store = makeBank()
        let second = Listener(of: Bank.self)
        let first = Listener(of: Bank.self)
        store.subscribe(first)
        store.subscribe(second)
        first.react = { _ in
            store.unsubscribe(second)
            store.unsubscribe(first)
        }
        store.dispatch(Deposit(amount: 1))
        store.dispatch(Deposit(amount: 1))
        #expect(first.values.map(\.balance) == [0, 1])
        #expect(second.values.map(\.balance) == [0])
    }

    @Test func `A subscriber may unsubscribe in its first call`() {
        let store = makeBank()
        let listener = Listener(of: Bank.self)
        listener.react = { _ in store.unsubscribe(listener) }
        store.subscribe(listener)
        store.dispatch(Deposit(amount: 1))
        #expect(listener.values.count == 1)
        listener.react = { _ in }
    }

    @Test func `A subscriber that overrides the untyped call gets it`() {
        final class Untyped: StoreSubscriber {
            var values: [Any] = []
            func newState(state: Int) { values.append("typed") }
            func _newState(state: Any) { values.append(state) }
        }
        let store = makeBank(balance: 2)
        let subscriber = Untyped()
        store.subscribe(subscriber) { $0.select(\.balance) }
        #expect(subscriber.values as? [Int] == [2])
    }

    @Test func `A value that is nil arrives`() {
        let store = makeBank()
        let listener = Listener(of: [String]?.self)
        store.subscribe(listener) { $0.select(\.notes) }
        store.dispatch(Note(text: "a"))
        store.dispatch(Note(text: nil))
        #expect(listener.values == [nil, ["a"], nil])
    }

    @Test func `A test that shares a store begins anew by removing its subscriptions`() {
        let store = makeBank()
        let (first, second) = (Listener(of: Bank.self), Listener(of: Int.self))
        store.subscribe(first)
        store.subscribe(second) { $0.select(\.balance) }
        #expect(store.subscriptions.count == 2)
        #expect(store.subscriptions.contains { $0.subscriber === second })
        store.subscriptions = store.subscriptions.filter { $0.subscriber !== first }
        store.dispatch(Deposit(amount: 1))
        #expect(first.values.count == 1)
        #expect(second.values == [0, 1])
        store.subscriptions.removeAll()
        #expect(store.subscriptions.isEmpty)
        store.dispatch(Deposit(amount: 1))
        #expect(second.values == [0, 1])
        store.subscribe(second) { $0.select(\.balance) }
        #expect(second.values == [0, 1, 2])
    }

    @Test
    func `Subscriptions are listed without those whose subscribers are gone, and none is added`() {
        let store = makeBank()
        let kept = Listener(of: Bank.self)
        let other = makeBank()
        other.subscribe(kept)
        store.subscribe(Listener(of: Bank.self))
        #expect(store.subscriptions.isEmpty)
        store.subscriptions = other.subscriptions
        store.dispatch(Deposit(amount: 1))
        #expect(store.subscriptions.isEmpty && kept.values.count == 1)
    }

    @Test func `Before there is a state, a subscriber waits for the first one`() {
        var isOpen = false
        let gate: Middleware<Bank> = { _, _ in { next in { if isOpen { next($0) } } } }
        let store = Store(reducer: reduceBank, state: nil, middleware: [gate])
        let listener = Listener(of: Int.self)
        store.subscribe(listener) { $0.select(\.balance) }
        #expect(listener.values == [])
        isOpen = true
        store.dispatch(Deposit(amount: 1))
        #expect(listener.values == [1])
    }
}
