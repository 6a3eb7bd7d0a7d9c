// SPDX-License-Identifier: MIT

import ReSwift
import Testing

import struct Onward.StoreOptions

/// No value twice, none out of order, also when subscribers dispatch.
@Suite("Order")
struct OrderTests {
    @Test
    func `A subscriber limits a balance by dispatching: none sees 42 twice or 50 after 42`() {
        for limiterIsFirst in [true, false] {
            let store = makeBank()
            let limiter = Listener(of: Int.self) { balance in
                if balance > 42 { store.dispatch(Limit.to(42)) }
            }
            let printer = Listener(of: Int.self)
            let both: [Listener<Int>] = limiterIsFirst ? [limiter, printer] : [printer, limiter]
            for listener in both { store.subscribe(listener) { $0.select(\.balance) } }
            store.dispatch(Deposit(amount: 50))
            #expect(printer.values == [0, 50, 42])
            #expect(limiter.values == [0, 50, 42])
            #expect(store.state.balance == 42)
        }
    }

    @Test func `The same with a subscriber that compares nothing`() {
        let store = makeBank(skips: false)
        let limiter = Listener(of: Bank.self) { bank in
            if bank.balance > 42 { store.dispatch(Limit.to(42)) }
        }
        let printer = Listener(of: Bank.self)
        store.subscribe(limiter)
        store.subscribe(printer)
        store.dispatch(Deposit(amount: 50))
        #expect(printer.values.map(\.balance) == [0, 50, 42])
    }

    @Test func `A dispatch in a subscriber's call is in the state at once and notified afterwards`()
    {
        let store = makeBank()
        var balances: [Int] = []
        let listener = Listener(of: Int.self)
        listener.react = { balance in
            guard balance < 3 else { return }
            store.dispatch(Deposit(amount: 1))
            balances.append(store.state.balance)
            #expect(listener.values.last == balance)
        }
        store.subscribe(listener) { $0.select(\.balance) }
        #expect(listener.values == [0, 1, 2, 3])
        #expect(balances == [1, 2, 3])
        listener.react = { _ in }
    }

    @Test func `A first call that dispatches comes before what it caused`() {
        let store = makeBank()
        let early = Listener(of: Int.self)
        store.subscribe(early) { $0.select(\.balance) }
        let late = Listener(of: Int.self) { if $0 == 0 { store.dispatch(Deposit(amount: 5)) } }
        store.subscribe(late) { $0.select(\.balance) }
        #expect(early.values == [0, 5])
        #expect(late.values == [0, 5])
    }

    @Test
    func `A subscriber that comes during a delivery sees nothing older than its first value`() {
        let store = makeBank()
        let late = Listener(of: Bank.self)
        let first = Listener(of: Int.self) { balance in
            guard balance == 1 else { return }
            store.dispatch(Deposit(amount: 10))
            store.subscribe(late)
        }
        store.subscribe(first) { $0.select(\.balance) }
        store.dispatch(Deposit(amount: 1))
        store.dispatch(Deposit(amount: 100))
        #expect(first.values == [0, 1, 11, 111])
        #expect(late.values.map(\.balance) == [11, 111])
    }

    @Test func `Its next old value is the one it subscribed with`() {
        let store = makeBank()
        var pairs: [[Int]] = []
        let early = Listener(of: Bank.self)
        store.subscribe(early)
        let late = Listener(of: Bank.self)
        store.onward.batch {
            store.dispatch(Deposit(amount: 1))
            store.subscribe(late) {
                $0.only { old, new in
                    pairs.append([old.balance, new.balance])
                    return true
                }
            }
            store.dispatch(Deposit(amount: 1))
            store.dispatch(Deposit(amount: 1))
        }
        #expect(pairs == [[1, 3]])
        #expect(late.values.map(\.balance) == [1, 3])
        #expect(early.values.map(\.balance) == [0, 3])
    }

    @Test(arguments: [true, false])
    func `A loop of subscribers is stopped and reported with the actions in it`(_ starts: Bool) {
        let mistakes = ReportedMistakes()
        let store = Store(
            reducer: reduceBank, state: Bank(balance: starts ? 1 : 0),
            options: .init(onProgrammerError: mistakes.handler))
        let listener = Listener(of: Int.self) { if $0 > 0 { store.dispatch(Deposit(amount: 1)) } }
        store.subscribe(listener) { $0.select(\.balance) }
        store.dispatch(Deposit(amount: 1))
        #expect(mistakes.all.first?.kind == .subscriberLoop)
        #expect(mistakes.all.first?.description.contains("made of: Deposit.") == true)
        listener.react = { _ in }
    }

    @Test(arguments: [true, false])
    func `A chain of 50,000 dispatches that ends is delivered to its end`(_ hasOptions: Bool) {
        let mistakes = ReportedMistakes()
        let store =
            hasOptions
            ? Store(
                reducer: reduceBank, state: Bank(),
                options: .init(onProgrammerError: mistakes.handler))
            : makeBank()
        let listener = Listener(of: Int.self) { balance in
            if balance > 0, balance < 50_000 { store.dispatch(Deposit(amount: 1)) }
        }
        store.subscribe(listener) { $0.select(\.balance) }
        store.dispatch(Deposit(amount: 1))
        #expect(mistakes.all == [])
        #expect(store.state.balance == 50_000)
        #expect(listener.values == Array(0...50_000))
        listener.react = { _ in }
    }

    @Test func `A length that an app chose holds`() {
        let mistakes = ReportedMistakes()
        let store = Store(
            reducer: reduceBank, state: Bank(),
            options: .init(onProgrammerError: mistakes.handler, limits: .init(generations: 10)))
        let listener = Listener(of: Int.self) { if $0 > 0 { store.dispatch(Deposit(amount: 1)) } }
        store.subscribe(listener) { $0.select(\.balance) }
        store.dispatch(Deposit(amount: 1))
        #expect(store.state.balance == 11)
        #expect(mistakes.all.first?.kind == .subscriberLoop)
        listener.react = { _ in }
    }
}
