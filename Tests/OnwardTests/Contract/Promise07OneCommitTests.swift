// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.bothWays) struct Promise07OneCommitTests {
    @Test
    func `One dispatch, one commit, however many reducers handle it, in their order`() {
        let order = Log<String>()
        let store = Store(Bank()) {
            Reduce { (_: inout Bank, _: CounterAction) in order.append("first") }
            Scope(\.left, counter)
            Reduce { (bank: inout Bank, _: CounterAction) in
                order.append("last")
                bank.balance = bank.left.count
            }
        }
        let balance = Recorder(of: store, \.balance)
        #expect(store.dispatch(CounterAction.increment) == .accepted(1))
        #expect(store.state.left.count == 1)
        #expect(store.state.balance == 1)
        #expect(balance.values == [1])
        #expect(order.all == ["first", "last"])
    }

    @Test
    func `One dispatch notifies the subscribers of every slice that it changed`() {
        let store = makeBank(Bank(editor: Counter(), rows: [Row(id: 1)]))
        let left = Recorder(of: store, \.left.count)
        let right = Recorder(of: store, \.right)
        let editor = Recorder(of: store, \.editor?.count)
        let rows = Recorder(of: store, \.rows)
        let unchanged = Recorder(of: store, \.other)
        store.dispatch(CounterAction.increment)
        #expect(left.values == [1])
        #expect(right.values == [Counter(count: 1)])
        #expect(editor.values == [1])
        #expect(rows.values == [[Row(id: 1, count: 1)]])
        #expect(unchanged.values.isEmpty)
    }

    @Test
    func
        `A batch makes many dispatches one notification; each stays a commit and an entry, readable at once`()
    {
        let store = makeBank()
        let recorder = Recorder(of: store, \.balance)
        let entries = Log<CommitVersion>()
        let observer = store.log.attach(Observe<Bank> { entries.append($0.entry.version) })
        let versions = store.batch {
            (1...3).map { amount in
                let result = store.dispatch(BankAction.deposit(amount))
                #expect(store.state.balance == (1...amount).reduce(0, +))
                return result
            }
        }
        #expect(versions == [.accepted(1), .accepted(2), .accepted(3)])
        #expect(recorder.values == [6])
        #expect(recorder.changes.map(\.old) == [0])
        #expect(entries.all == [1, 2, 3])
        observer.cancel()
    }

    @Test
    func `Batches nest: the outermost one notifies`() {
        let store = makeBank()
        let recorder = Recorder(of: store, \.balance)
        store.batch {
            store.dispatch(BankAction.deposit(1))
            store.batch { _ = store.dispatch(BankAction.deposit(1)) }
            #expect(recorder.values.isEmpty)
            store.dispatch(BankAction.deposit(1))
        }
        #expect(recorder.values == [3])
    }

    @Test
    func `A batch after a batch notifies again, also those that came between them`() {
        let store = makeBank()
        let early = Recorder(of: store, \.balance)
        store.batch { _ = store.dispatch(BankAction.deposit(1)) }
        let late = Recorder(of: store, \.balance)
        store.batch { _ = store.dispatch(BankAction.deposit(1)) }
        store.dispatch(BankAction.deposit(1))
        #expect(early.values == [1, 2, 3])
        #expect(late.values == [2, 3])
        #expect(late.changes.map(\.old) == [1, 2])
    }

    @Test
    func `A batch that throws delivers what was committed: it is no transaction`() {
        struct Stop: Error {}
        let store = makeBank()
        let recorder = Recorder(of: store, \.balance)
        #expect(throws: Stop.self) {
            try store.batch {
                store.dispatch(BankAction.deposit(1))
                throw Stop()
            }
        }
        #expect(recorder.values == [1])
        store.dispatch(BankAction.deposit(1))
        #expect(recorder.values == [1, 2])
    }

    @Test
    func `A batch whose changes cancel each other out says nothing`() {
        let store = makeBank()
        let recorder = Recorder(of: store, \.balance)
        store.batch {
            store.dispatch(BankAction.deposit(5))
            store.dispatch(BankAction.deposit(-5))
        }
        #expect(recorder.values.isEmpty)
        #expect(store.log.version == 2)
    }

    @Test
    func
        `Who subscribes inside a batch is notified of what came after, from the value it started with`()
    {
        let store = makeBank()
        let early = Recorder(of: store, \.balance)
        let late = Recorder<Int>()
        let tokens = Log<Subscription>()
        store.batch {
            store.dispatch(BankAction.deposit(1))
            tokens.append(store.subscribe(\.balance, late.record))
            store.dispatch(BankAction.deposit(1))
        }
        #expect(early.changes.map(\.old) == [0])
        #expect(early.values == [2])
        #expect(late.changes.map(\.old) == [1])
        #expect(late.values == [2])
    }

    @Test
    func `A batch that another thread opens while a subscriber dispatches loses nothing`() {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let isOpen = DispatchSemaphore(value: 0)
        let mayClose = DispatchSemaphore(value: 0)
        let isClosed = DispatchSemaphore(value: 0)
        let token = store.subscribe(\.balance) { old, new in
            recorder.record(old, new)
            guard new == 1 else { return }
            for _ in 0..<9 { store.dispatch(BankAction.deposit(1)) }
            let thread = Thread {
                store.batch {
                    isOpen.signal()
                    mayClose.wait()
                }
                isClosed.signal()
            }
            thread.start()
            isOpen.wait()
        }
        // The round is made to its end, while what the subscriber dispatched waits for the batch.
        store.dispatch(BankAction.deposit(1))
        mayClose.signal()
        isClosed.wait()
        #expect(recorder.values.last == 10)
        store.dispatch(BankAction.deposit(1))
        #expect(recorder.values.last == 11)
        #expect(recorder.changes.dropFirst().map(\.old) == recorder.values.dropLast())
        token.cancel()
    }

    @Test
    func `A batch inside a subscriber is one notification too`() {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let outer = store.subscribe(\.balance) { _, new in
            guard new == 1 else { return }
            store.batch {
                store.dispatch(BankAction.deposit(1))
                store.dispatch(BankAction.deposit(1))
            }
        }
        let token = store.subscribe(\.balance, recorder.record)
        store.dispatch(BankAction.deposit(1))
        #expect(recorder.values == [1, 3])
        outer.cancel()
        token.cancel()
    }

    @Test
    func `While a batch is open on another thread, no delivery begins, and none is lost`() {
        let store = makeBank()
        let (entered, opened) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isOpen = Guarded(false)
        let early = Log<Int>()
        let notified = Log<Int>()
        let token = store.subscribe(\.balance) { _, new in
            if isOpen.withValue({ $0 }) { early.append(new) }
            notified.append(new)
            guard new == 1 else { return }
            // There is more to deliver when the batch opens.
            for _ in 0..<20 { store.dispatch(BankAction.deposit(1)) }
            entered.signal()
            opened.wait()
        }
        let closing = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            store.dispatch(BankAction.deposit(1))
            closing.signal()
            done.signal()
        }
        entered.wait()
        store.batch {
            isOpen.withValue { $0 = true }
            opened.signal()
            // The other thread returns without having delivered what waits.
            closing.wait()
            #expect(notified.all == [1])
            store.dispatch(OtherAction())
            isOpen.withValue { $0 = false }
        }
        done.wait()
        #expect(early.all.isEmpty)
        #expect(notified.all == [1, 21])
        token.cancel()
    }

    @Test
    func `Once a batch is over, what waited is notified with it as one`() {
        let store = makeBank()
        let (entered, opened) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let notified = Log<Int>()
        let token = store.subscribe(\.balance) { _, new in
            notified.append(new)
            guard new == 1 else { return }
            for _ in 0..<20 { store.dispatch(BankAction.deposit(1)) }
            entered.signal()
            opened.wait()
        }
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            store.dispatch(BankAction.deposit(1))
            done.signal()
        }
        entered.wait()
        store.batch {
            opened.signal()
            done.wait()
            store.dispatch(BankAction.deposit(1))
        }
        #expect(notified.all == [1, 22])
        store.dispatch(BankAction.deposit(1))
        store.dispatch(BankAction.deposit(1))
        #expect(notified.all == [1, 22, 23, 24])
        token.cancel()
    }
}
