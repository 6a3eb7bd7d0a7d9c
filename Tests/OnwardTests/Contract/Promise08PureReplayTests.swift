// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.bothWays) struct Promise08PureReplayTests {
    @Test(arguments: 1...20)
    func `Pure replay: running the same entries from the same state gives the same state`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        let first = Bank(editor: seed % 2 == 0 ? Counter() : nil, rows: [Row(id: 1), Row(id: 2)])
        let store = makeBank(first)
        let entries = Log<LogEntry>()
        let observer = store.log.attach(Observe<Bank> { entries.append($0.entry) })
        for _ in 0..<200 {
            let amount = Int.random(in: -9...9, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: store.dispatch(BankAction.deposit(amount))
            case 1: store.dispatch(CounterAction.add(amount))
            case 2: store.scoped(to: \.left).dispatch(CounterAction.add(amount))
            case 3: store.scoped(to: .row(\.rows, id: 2)).dispatch(CounterAction.increment)
            default: store.dispatch(OtherAction(by: amount))
            }
        }
        #expect(entries.all.count == 200)
        #expect(store.log.replay(entries.all, from: first) == store.state)
        #expect(store.log.replay([], from: first) == first)
        observer.cancel()
    }

    @Test
    func `Pure replay: middleware, observers and subscribers do not run, and the store stays`() {
        let passed = Log<String>()
        let store = Store(Bank()) {
            ClosureMiddleware<Bank> { action, _ in
                passed.append(action.wireName)
                return nil
            }
            bank
        }
        let entries = Log<LogEntry>()
        let observer = store.log.attach(Observe<Bank> { entries.append($0.entry) })
        let recorder = Recorder(of: store, \.balance)
        store.dispatch(BankAction.deposit(7))
        let replayed = store.log.replay(entries.all, from: Bank(balance: 1))
        #expect(replayed.balance == 8)
        #expect(store.state.balance == 7)
        #expect(store.log.version == 1)
        #expect(passed.all == ["BankAction/deposit"])
        #expect(entries.all.count == 1)
        #expect(recorder.values == [7])
        observer.cancel()
    }

    @Test
    func `Pure replay: an installed state and an action no reducer handles change nothing`() {
        let store = Store(0, options: Mistakes().options()) {
            Reduce { (count: inout Int, _: CounterAction) in count += 1 }
            Reduce.everyAction { (count: inout Int, _: any Action) in count += 10 }
        }
        let bare = Store(0) { Reduce { (count: inout Int, _: CounterAction) in count += 1 } }
        let entries = [
            LogEntry(version: 1, kind: .travel, action: Travel(replacing: 0)),
            LogEntry(version: 2, action: CounterAction.increment),
            LogEntry(version: 3, action: OtherAction()),
        ]
        #expect(store.log.replay(entries, from: 0) == 21)
        #expect(bare.log.replay(entries, from: 0) == 1)
    }

    @Test(arguments: [false, true])
    func `Pure replay: what a reducer dispatches meanwhile is refused and reported`(
        hasMiddleware: Bool
    ) {
        let mistakes = Mistakes()
        let results = Log<DispatchResult>()
        let held = Guarded<Store<Int>?>(nil)
        let store = Store(0, options: mistakes.options()) {
            if hasMiddleware { ClosureMiddleware<Int> { _, _ in nil } }
            Reduce { (count: inout Int, _: OtherAction) in
                count += 1
                guard let store = held.withValue({ $0 }) else { return }
                results.append(store.dispatch(OtherAction(), isolation: nil))
            }
        }
        held.withValue { $0 = store }
        #expect(store.log.replay([LogEntry(version: 1, action: OtherAction())], from: 0) == 1)
        #expect(results.all == [.refused(.insideReducer)])
        #expect(mistakes.kinds == [.dispatchInsideReducer])
        #expect(store.log.version == 0)
        held.withValue { $0 = nil }
        #expect(store.dispatch(OtherAction()) == .accepted(1))
    }

    @Test
    func `Pure replay: the log stores what left the middleware chain`() {
        let store = Store(Bank()) {
            ClosureMiddleware<Bank> { action, context in
                guard case BankAction.deposit(let amount) = action, amount > 100 else { return nil }
                return context.next(BankAction.deposit(100))
            }
            bank
        }
        let entries = Log<LogEntry>()
        let observer = store.log.attach(Observe<Bank> { entries.append($0.entry) })
        store.dispatch(BankAction.deposit(500))
        #expect(entries.all.first?.action as? BankAction == .deposit(100))
        #expect(store.log.replay(entries.all, from: Bank()) == store.state)
        observer.cancel()
    }
}
