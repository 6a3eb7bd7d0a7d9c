// SPDX-License-Identifier: MIT

import Observation
import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import OnwardObservation
@testable import OnwardSelectors
@testable import TestSupport

private let total = StateSelector<Bank, Int>(\.balance, \.other) { $0 + $1.count }
private let isRich = StateSelector<Bank, Bool>(total) { $0 > 10 }
private let isEven = StateSelector<Counter, Bool>(\.count) { $0 % 2 == 0 }

@Suite(.timeLimit(.minutes(5))) struct SelectingSelectorsTests {
    @Test
    func `a selector can be iterated: the current value, then each change`() async {
        let store = makeBank()
        var all = store.values(
            of: .selector(total), buffering: .every(limit: 9, onOverflow: .dropOldest)
        )
        .makeAsyncIterator()
        var latest = store.values(of: .selector(isRich)).makeAsyncIterator()
        store.dispatch(BankAction.deposit(3))
        store.dispatch(BankAction.nothing)
        store.dispatch(OtherAction())
        #expect([await all.next(), await all.next(), await all.next()] == [0, 3, 4])
        #expect(await latest.next() == false)
        await store.shutdown()
        #expect(await all.next() == nil)
        #expect(await latest.next() == nil)
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
    }

    @Test
    func `a selector of a scoped store ends with its slice`() async {
        let store = makeBank(Bank(editor: Counter(count: 1)))
        let isOdd = StateSelector<Counter?, Bool>(\.?.count) { ($0 ?? 0) % 2 == 1 }
        struct Close: Action {}
        var values = store.scoped(to: \.editor).values(of: .selector(isOdd)).makeAsyncIterator()
        #expect(await values.next() == true)
        store.log.replaceFeatures {
            Reduce { (bank: inout Bank, _: Close) in bank.editor = nil }
        }
        store.dispatch(Close())
        #expect(await values.next() == false)
        #expect(await values.next() == nil)
    }

    @Test
    func `a tracked selector is notified of its changes alone`() {
        let store = makeBank()
        let notified = Log<Bool>()
        @Sendable func look() {
            withObservationTracking {
                _ = store[.selector(isRich)]
            } onChange: {
                notified.append(store[.selector(isRich)])
                look()
            }
        }
        look()
        store.dispatch(BankAction.deposit(5))
        store.scoped(to: \.left).dispatch(CounterAction.increment)
        #expect(notified.all.isEmpty)
        store.dispatch(BankAction.deposit(6))
        store.dispatch(BankAction.deposit(1))
        store.dispatch(BankAction.deposit(-9))
        #expect(notified.all == [true, false])
        #expect(store.engine.withLock { store.engine.observed($0).count } == 1)
    }

    @Test
    func `an observed selector of a scoped store is found again, and leaves when not read`() {
        let store = makeBank()
        for _ in 0..<3 { #expect(store.scoped(to: \.left)[.selector(isEven)]) }
        #expect(store.engine.withLock { store.engine.observed($0).count } == 1)
        for _ in 0..<2 { store.scoped(to: \.left).dispatch(CounterAction.increment) }
        #expect(store.engine.withLock { store.engine.observed($0).count } == 0)
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
        #expect(store.scoped(to: \.left)[.selector(isEven)])
    }
}
