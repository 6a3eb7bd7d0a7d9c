// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import TestSupport

private let every = Buffering.every(limit: 100, onOverflow: .dropOldest)

@Suite(.timeLimit(.minutes(5))) struct StoreValuesTests {
    @Test
    func `begins with the current value, goes on with changes, needs no try`() async {
        let store = makeBank(Bank(balance: 5))
        var seen: [Int] = []
        for await balance in store.values(of: \.balance, buffering: every) {
            seen.append(balance)
            if seen.count == 3 { break }
            store.dispatch(BankAction.nothing)
            store.dispatch(BankAction.deposit(1))
        }
        #expect(seen == [5, 6, 7])
    }

    @Test
    func `keeps the newest value only, unless every one is asked for`() async {
        let store = makeBank()
        var latest = store.values(of: \.balance).makeAsyncIterator()
        var all = store.values(of: \.balance, buffering: every).makeAsyncIterator()
        for _ in 1...3 { store.dispatch(BankAction.deposit(1)) }
        #expect(await latest.next() == 3)
        #expect(latest.lost == 3)
        var seen: [Int?] = []
        for _ in 0...3 { seen.append(await all.next()) }
        #expect(seen == [0, 1, 2, 3])
        #expect(all.lost == 0)
    }

    @Test
    func `loses what the overflow policy says, and counts it`() async {
        let store = makeBank()
        var oldest = store.values(
            of: \.balance, buffering: .every(limit: 2, onOverflow: .dropOldest)
        ).makeAsyncIterator()
        var newest = store.values(
            of: \.balance, buffering: .every(limit: 2, onOverflow: .dropNewest)
        ).makeAsyncIterator()
        for _ in 1...4 { store.dispatch(BankAction.deposit(1)) }
        #expect([await oldest.next(), await oldest.next()] == [3, 4])
        #expect([await newest.next(), await newest.next()] == [0, 1])
        #expect(oldest.lost == 3)
        #expect(newest.lost == 3)
        store.dispatch(BankAction.deposit(1))
        #expect([await oldest.next(), await newest.next()] == [5, 5])
    }

    @Test
    func `an equal value does not follow, also when the values between were lost`() async {
        let store = makeBank()
        var latest = store.values(of: \.balance).makeAsyncIterator()
        #expect(await latest.next() == 0)
        store.dispatch(BankAction.deposit(1))
        store.dispatch(BankAction.deposit(-1))
        store.dispatch(BankAction.deposit(0))
        async let next = latest.next()
        // The 0 that waits is skipped, so the reader waits for the next change.
        store.dispatch(BankAction.deposit(7))
        #expect(await next == 7)
    }

    @Test
    func `an equal value does not follow, also when it comes to a reader that waits after a loss`()
        async
    {
        let store = makeBank(Bank(balance: 1))
        let values = store.values(
            of: \.balance, buffering: .every(limit: 1, onOverflow: .dropNewest))
        var iterator = values.makeAsyncIterator()
        store.dispatch(BankAction.deposit(1))  // Lost: the 1 still waits.
        #expect(await iterator.next() == 1)
        let later = Task.detached {
            // The reader waits, or finds in its buffer what it would have been given.
            for _ in 0..<1_000 { await Task.yield() }
            store.dispatch(BankAction.deposit(-1))
            for _ in 0..<1_000 { await Task.yield() }
            store.dispatch(BankAction.deposit(6))
        }
        #expect(await iterator.next() == 7)
        #expect(iterator.lost == 1)
        await later.value
    }

    @Test
    func `a value that was skipped after a loss is not what the next one is compared with`() async {
        let store = makeBank(Bank(balance: 10))
        var iterator = store.values(
            of: .selecting(\.balance, removingDuplicatesBy: { abs($0 - $1) < 3 }),
            buffering: .every(limit: 1, onOverflow: .dropOldest)
        ).makeAsyncIterator()
        #expect(await iterator.next() == 10)
        store.dispatch(BankAction.deposit(5))  // 15 is lost,
        store.dispatch(BankAction.deposit(-4))  // 11 is too near to 10,
        let later = Task.detached {
            for _ in 0..<1_000 { await Task.yield() }
            store.dispatch(BankAction.deposit(-3))  // 8 is, too, though not to 11,
            for _ in 0..<1_000 { await Task.yield() }
            store.dispatch(BankAction.deposit(12))
        }
        #expect(await iterator.next() == 20)
        await later.value
    }

    @Test
    func `values that cannot be compared come with each commit that may have changed them`() async {
        struct Opaque: Sendable { var number = 0 }
        struct App: Sendable { var opaque = Opaque() }
        struct Touch: Action {}
        let store = Store(App()) { Reduce { (_: inout App, _: Touch) in } }
        var values = store.values(of: .path(\.opaque), buffering: every).makeAsyncIterator()
        var whole = store.values(of: .path(\.self), buffering: every).makeAsyncIterator()
        store.dispatch(Touch())
        await store.shutdown()
        for _ in 0..<2 {
            #expect(await values.next() != nil)
            #expect(await whole.next() != nil)
        }
        #expect(await values.next() == nil)
        #expect(await whole.next() == nil)
    }

    @Test
    func `closures, rows and the whole state can be iterated`() async {
        let store = makeTodos(3)
        var count = store.values(of: .selecting { $0.todos.count }).makeAsyncIterator()
        var parity = store.values(
            of: .selecting(\.filter, removingDuplicatesBy: { $0 % 2 == $1 % 2 }), buffering: every
        ).makeAsyncIterator()
        var row = store.values(of: .row(\.todos, id: 7), buffering: every).makeAsyncIterator()
        var whole = store.values(of: \.self).makeAsyncIterator()
        #expect(await count.next() == 3)
        #expect(await row.next() == .some(nil))
        store.dispatch(TodoAction.add(7))
        store.dispatch(TodoAction.toggle(1))
        store.dispatch(TodoAction.toggle(7))
        for filter in [2, 3, 5] { store.dispatch(TodoAction.filter(filter)) }
        #expect(await count.next() == 4)
        #expect(await row.next() == Todo(id: 7))
        #expect(await row.next() == Todo(id: 7, isDone: true))
        #expect([await parity.next(), await parity.next()] == [0, 3])
        #expect(await whole.next() == store.state)
    }

    @Test
    func `two iterations of one sequence have a subscription each`() async {
        let store = makeBank()
        let values = store.values(of: \.balance, buffering: every)
        var first = values.makeAsyncIterator()
        #expect(await first.next() == 0)
        store.dispatch(BankAction.deposit(1))
        var second = values.makeAsyncIterator()
        store.dispatch(BankAction.deposit(1))
        #expect([await first.next(), await first.next()] == [1, 2])
        #expect([await second.next(), await second.next()] == [1, 2])
        #expect(store.engine.withLock { $0.state.index.subscribers($0).count } == 2)
    }

    @Test
    func `two iterations by several tasks see all values in version order`() async {
        let store = makeBank()
        let values = store.values(of: \.balance, buffering: every)
        let read: @Sendable () async -> [Int] = {
            var seen: [Int] = []
            for await value in values {
                seen.append(value)
                if value == 20 { break }
            }
            return seen
        }
        async let one = read()
        async let other = read()
        for _ in 1...20 { store.dispatch(BankAction.deposit(1)) }
        let (ones, others) = await (one, other)
        // Each begins with what was current when it began.
        #expect(ones == Array((ones.first ?? 99)...20))
        #expect(others == Array((others.first ?? 99)...20))
    }

    @Test
    func `cancelling the task that waits frees the subscription at once`() async {
        let store = makeBank()
        let isWaiting = Recorder<Int>()
        let task = Task {
            var seen: [Int] = []
            for await value in store.values(of: \.balance) {
                seen.append(value)
                isWaiting.record(0, value)
            }
            return seen
        }
        await isWaiting.waitUntilCalled(1)
        task.cancel()
        #expect(await task.value == [0])
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
        #expect(store.engine.withLock { $0.state.endings?.isEmpty } == true)
    }

    @Test
    func `a task that is cancelled already gets nothing`() async {
        let store = makeBank()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var count = 0
            for await _ in store.values(of: \.balance) { count += 1 }
            return count
        }
        #expect(await task.value == 0)
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
    }

    @Test
    func `leaving the loop frees the subscription`() async {
        let store = makeBank()
        for await _ in store.values(of: \.balance) {
            #expect(store.engine.withLock { $0.state.index.groups.count } == 1)
            break
        }
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
        #expect(store.engine.withLock { $0.state.endings?.isEmpty } == true)
    }

    @Test
    func `ends with the store, after the values that wait`() async {
        let store = makeBank()
        var iterator = store.values(of: \.balance, buffering: every).makeAsyncIterator()
        store.dispatch(BankAction.deposit(1))
        await store.shutdown()
        #expect([await iterator.next(), await iterator.next()] == [0, 1])
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
    }

    @Test
    func `a reader that waits is notified of the end`() async {
        let store = makeBank()
        let isWaiting = Recorder<Int>()
        let task = Task {
            for await value in store.values(of: \.balance) { isWaiting.record(0, value) }
            return true
        }
        await isWaiting.waitUntilCalled(1)
        await store.shutdown()
        #expect(await task.value)
    }

    @Test
    func `a store that has ended gives its last value, and then the end`() async {
        let store = makeBank(Bank(balance: 3))
        await store.shutdown()
        var iterator = store.values(of: \.balance).makeAsyncIterator()
        #expect(await iterator.next() == 3)
        #expect(await iterator.next() == nil)
    }

    @Test
    func `a sequence and its iterations don't keep the store going, and end with it`() async {
        weak var engine: Engine?
        var values: StoreValues<Int>?
        var iterator: StoreValues<Int>.Iterator?
        do {
            let store = makeBank()
            engine = store.engine
            values = store.values(of: \.balance)
            iterator = values?.makeAsyncIterator()
        }
        #expect(await iterator?.next() == 0)
        #expect(await iterator?.next() == nil)
        values = nil
        #expect(engine == nil)
    }

    @Test
    func `an object that iterates in a task of its own is not kept by the store`() async {
        final class Screen: Sendable {
            let shown = Recorder<Int>()
            func show(_ store: Store<Bank>) -> Task<Void, Never> {
                let values = store.values(of: \.balance)
                return Task { [weak self] in
                    for await value in values { self?.shown.record(0, value) }
                }
            }
        }
        let store = makeBank()
        weak var weakly: Screen?
        var task: Task<Void, Never>?
        do {
            let screen = Screen()
            weakly = screen
            task = screen.show(store)
            await screen.shown.waitUntilCalled(1)
        }
        store.dispatch(BankAction.deposit(1))
        #expect(weakly == nil)
        task?.cancel()
        await task?.value
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
    }

    @Test
    func `a reader on the main actor is resumed there`() async {
        let store = makeBank()
        let count = await Task { @MainActor in
            var count = 0
            for await _ in store.values(of: \.balance) {
                MainActor.assertIsolated()
                count += 1
                if count == 2 { break }
                store.dispatch(BankAction.deposit(1))
            }
            return count
        }.value
        #expect(count == 2)
    }

    @Test
    func `a batch comes as one value`() async {
        let store = makeBank()
        var all = store.values(of: \.balance, buffering: every).makeAsyncIterator()
        store.batch {
            for _ in 1...5 { store.dispatch(BankAction.deposit(1)) }
        }
        await store.shutdown()
        #expect([await all.next(), await all.next(), await all.next()] == [0, 5, nil])
    }
}
