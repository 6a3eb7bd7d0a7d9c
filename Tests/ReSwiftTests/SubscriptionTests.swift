// SPDX-License-Identifier: MIT

import ReSwift
import Testing

@Suite("Subscription")
struct SubscriptionTests {
    /// Of which balances a subscriber is notified, one after the other, from 0.
    private func notified<Value>(
        _ balances: [Int], skips: Bool = true,
        _ transform: @escaping (Subscription<Bank>) -> Subscription<Value>
    ) -> [Value] {
        let store = makeBank(skips: skips)
        let listener = Listener(of: Value.self)
        store.subscribe(listener, transform: transform)
        for balance in balances {
            store.dispatch(Deposit(amount: balance - store.state.balance))
        }
        return listener.values
    }

    /// The same with equal values skipped as the store was asked to.
    private func notifiedOfEquatable<Value: Equatable>(
        _ balances: [Int], skips: Bool = true,
        _ transform: @escaping (Subscription<Bank>) -> Subscription<Value>
    ) -> [Value] {
        let store = makeBank(skips: skips)
        let listener = Listener(of: Value.self)
        store.subscribe(listener, transform: transform)
        for balance in balances {
            store.dispatch(Deposit(amount: balance - store.state.balance))
        }
        return listener.values
    }

    @Test func `Selects by closure and by key path`() {
        #expect(notified([3, 4]) { $0.select { $0.balance * 2 } } == [0, 6, 8])
        #expect(notified([3, 4]) { $0.select(\.balance) } == [0, 3, 4])
        #expect(notified([3, 4]) { $0.select(\.owner).select(\.count) } == [3, 3, 3])
    }

    @Test func `A selector is called once per action`() {
        var calls = 0
        _ = notified([1, 2, 3]) {
            $0.select { bank -> Int in
                calls += 1
                return bank.balance
            }.skipRepeats()
        }
        #expect(calls == 4)
    }

    @Test func `Skips repeats by equality and by a closure`() {
        #expect(notified([0, 1, 1, 2]) { $0.select(\.balance).skipRepeats() } == [0, 1, 2])
        #expect(
            notified([1, 2, 11, 12]) { $0.select(\.balance).skipRepeats { $0 / 10 == $1 / 10 } }
                == [0, 11])
    }

    @Test func `A closure compares with the value before each action: changes don't add up`() {
        let values = notified([1, 2, 3, 4, 5, 6, 9]) {
            $0.select(\.balance).skipRepeats { $1 - $0 < 3 }
        }
        #expect(values == [0, 9])
    }

    @Test func `Skips when asked to, except the first value`() {
        let values = notified([1, 2, 3, 4]) {
            $0.select(\.balance).skip { _, new in new.isMultiple(of: 2) }
        }
        #expect(values == [0, 1, 3])
    }

    @Test func `Passes only when asked to, and the first value`() {
        let values = notified([1, 2, 3, 4]) {
            $0.select(\.balance).only { _, new in new.isMultiple(of: 2) }
        }
        #expect(values == [0, 2, 4])
    }

    @Test func `A filter gets the value before each action as the old one`() {
        var pairs: [[Int]] = []
        _ = notified([1, 2, 3]) {
            $0.select(\.balance).only { old, new in
                pairs.append([old, new])
                return false
            }
        }
        #expect(pairs == [[0, 1], [1, 2], [2, 3]])
    }

    @Test func `Filters can follow one another in any order`() {
        let values = notified([1, 1, 2, 3, 3, 4]) {
            $0.select(\.balance).skipRepeats().only { $1 > 1 }.select { "\($0)" }
        }
        #expect(values == ["0", "2", "3", "4"])
    }

    @Test func `A value that a filter kept back is the one that the next is compared with`() {
        let values = notifiedOfEquatable([1, 2, 1, 2, 3]) {
            $0.select(\.balance).skip { _, new in new == 2 }
        }
        #expect(values == [0, 1, 1, 3])
    }

    @Test func `A selector behind a filter is asked for the value before as well`() {
        var seen: [Int] = []
        let values = notified([1, 2, 3]) {
            $0.select(\.balance).only { _, new in new != 2 }.select { balance -> Int in
                seen.append(balance)
                return balance
            }
        }
        #expect(values == [0, 1, 3])
        #expect(seen == [0, 1, 0, 3, 2])
    }

    @Test func `An app's own filter sets the observer`() {
        #expect(notified([1, 2, 3]) { $0.select(\.balance).everySecond() } == [0, 2])
        #expect(
            notified([1, 2, 3, 4]) { $0.everySecond().select(\.balance).everySecond() } == [0, 4])
    }

    @Test func `The observer that was set last is notified of the values`() {
        var values: [Int] = []
        let store = makeBank()
        store.subscribe(Listener(of: Int.self)) { original in
            let selection = original.select(\.balance)
            original.observer = { _, _ in values.append(-1) }
            original.observer = { _, new in values.append(new.balance) }
            return Subscription<Int> { _ in _ = selection }
        }
        store.dispatch(Deposit(amount: 1))
        #expect(values == [0, 1])
    }

    @Test func `Equal values are skipped automatically, unless the store was notified not to`() {
        #expect(notifiedOfEquatable([1, 1, 2]) { $0.select(\.balance) } == [0, 1, 2])
        #expect(
            notifiedOfEquatable([1, 1, 2], skips: false) { $0.select(\.balance) } == [0, 1, 1, 2])
    }

    @Test func `Equal states are skipped automatically, unless the store was notified not to`() {
        func notified(skips: Bool) -> [Int] {
            let store = Store<Int>(
                reducer: { action, state in (state ?? 0) + ((action as? Deposit)?.amount ?? 0) },
                state: 0, automaticallySkipsRepeats: skips)
            let listener = Listener(of: Int.self)
            store.subscribe(listener)
            store.dispatch(Unknown())
            store.dispatch(Deposit(amount: 1))
            return listener.values
        }
        #expect(notified(skips: true) == [0, 1])
        #expect(notified(skips: false) == [0, 0, 1])
    }

    @Test func `Without a transformation that is given as nil, equal states are reported, too`() {
        let store = Store<Int>(
            reducer: { action, state in (state ?? 0) + ((action as? Deposit)?.amount ?? 0) },
            state: 0)
        let listener = Listener(of: Int.self)
        store.subscribe(listener, transform: nil)
        store.dispatch(Unknown())
        store.dispatch(Deposit(amount: 1))
        #expect(listener.values == [0, 0, 1])
    }

    @Test func `A store without a transformation reports the whole state`() {
        let store = makeBank()
        let listener = Listener(of: Bank.self)
        store.subscribe(listener, transform: nil)
        store.dispatch(Deposit(amount: 1))
        #expect(listener.values.map(\.balance) == [0, 1])
    }

    @Test func `A subscription can be fed from elsewhere`() {
        var push: ((Int?, Int) -> Void)?
        let source = Subscription<Int> { push = $0 }
        #expect(push != nil)
        let store = makeBank()
        let listener = Listener(of: String.self)
        store.subscribe(listener) { _ in source.skipRepeats().select { "\($0)" } }
        push?(nil, 1)
        push?(1, 1)
        push?(1, 2)
        #expect(listener.values == ["1", "2"])
    }
}

extension Subscription {
    /// Every second value, beginning with the first.
    fileprivate func everySecond() -> Subscription<State> {
        var count = 0
        return Subscription { sink in
            self.observer = { old, new in
                count += 1
                if !count.isMultiple(of: 2) { sink(old, new) }
            }
        }
    }
}
