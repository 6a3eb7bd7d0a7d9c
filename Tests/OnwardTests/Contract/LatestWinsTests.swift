// SPDX-License-Identifier: MIT

import Foundation
import Observation
import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import TestSupport

/// The histories that decided what a round is: which values are skipped, and which are not.
@Suite(.timeLimit(.minutes(5)), .bothWays) struct LatestWinsTests {
    // MARK: What is skipped

    @Test
    func `of two dispatches in one call another subscriber sees the latest`() {
        let store = makeBank()
        let first = store.subscribe(\.balance) { _, new in
            guard new == 1 else { return }
            store.dispatch(BankAction.deposit(1))
            store.dispatch(BankAction.deposit(1))
        }
        let recorder = Recorder(of: store, \.balance)
        store.dispatch(BankAction.deposit(1))
        #expect(recorder.values == [1, 3])
        #expect(recorder.changes.map(\.old) == [0, 1])
        first.cancel()
    }

    @Test
    func `what was skipped is counted for each subscriber, except within a batch`() {
        let store = makeBank()
        store.diagnostics.measureSubscribers()
        let first = store.subscribe(\.balance) { _, new in
            guard new == 1 else { return }
            store.dispatch(BankAction.deposit(1))
            store.dispatch(BankAction.deposit(1))
        }
        let second = store.subscribe(\.balance) { _, _ in }
        store.dispatch(BankAction.deposit(1))
        #expect(store.diagnostics.skippedValues == 2)
        let later = store.subscribe(\.balance) { _, _ in }
        store.batch { for _ in 0..<5 { store.dispatch(BankAction.deposit(1)) } }
        #expect(store.diagnostics.skippedValues == 2)
        let skipped = store.diagnostics.subscribers(limit: 10).all.map(\.skipped)
        #expect(skipped.sorted() == [0, 1, 1])
        withExtendedLifetime((first, second, later)) {}
    }

    @Test
    func `within a round all see one version`() {
        let store = makeBank()
        let seen = Log<[Int]>()
        let first = store.subscribe(\.other.count) { _, _ in
            for _ in 0..<3 { store.dispatch(BankAction.deposit(1)) }
        }
        let tokens = [
            store.subscribe(\.balance) { seen.append([$0, $1]) },
            store.subscribe(\.doubled) { seen.append([$0 / 2, $1 / 2]) },
            store.subscribe(.selecting { $0.balance + 1 }) { seen.append([$0 - 1, $1 - 1]) },
        ]
        store.dispatch(OtherAction())
        #expect(seen.all == Array(repeating: [0, 3], count: 3))
        withExtendedLifetime((first, tokens)) {}
    }

    @Test
    func `a value is no older than a commit that returned before its round began`() {
        let store = makeBank()
        let committed = Guarded(0)
        let isStale = Log<Bool>()
        let tokens = [
            store.subscribe(\.other.count) { _, _ in
                onThreads(2) { _ in
                    for _ in 0..<50 { store.dispatch(BankAction.deposit(1)) }
                }
                committed.withValue { $0 = store.state.balance }
            },
            store.subscribe(\.balance) { _, new in
                isStale.append(new < committed.withValue { $0 })
            },
        ]
        store.dispatch(OtherAction())
        store.dispatch(BankAction.nothing)
        #expect(!isStale.all.contains(true))
        withExtendedLifetime(tokens) {}
    }

    // MARK: What is not

    enum LampAction: Action { case flash, on, off }

    struct Lamp: Equatable, Sendable { var isOn = false }

    @Test
    func `the dispatches that an action is answered with are notified one by one`() async throws {
        let changes = Log<Bool>()
        let store = Store(Lamp()) {
            Reduce { (lamp: inout Lamp, action: LampAction) in
                switch action {
                case .flash: break
                case .on: lamp.isOn = true
                case .off: lamp.isOn = false
                }
            }
            OnAction { (action: LampAction, _: EffectContext<Lamp>) -> Effect in
                guard case .flash = action else { return .none }
                return .merge(.dispatch(LampAction.on), .dispatch(LampAction.off))
            }
            OnChange(of: \.isOn) { _, new, _ in
                changes.append(new)
                return .none
            }
        }
        let recorder = Recorder<Bool>()
        let token = store.subscribe(\.isOn, recorder.record)
        async let seen = store.wait { $0.isOn }
        while store.diagnostics.subscribers(limit: 0).count < 3 { await Task.yield() }
        store.dispatch(LampAction.flash)
        #expect(recorder.values == [true, false])
        #expect(changes.all == [true, false])
        #expect(try await seen.isOn)
        #expect(!store.state.isOn)
        token.cancel()
    }

    @Test
    func `a sequence of every value has one for each commit, and one for a batch`() async {
        let store = makeBank()
        var values = store.values(
            of: \.balance, buffering: .every(limit: 10, onOverflow: .dropOldest)
        )
        .makeAsyncIterator()
        let first = store.subscribe(\.balance) { _, new in
            guard new == 1 else { return }
            store.dispatch(BankAction.deposit(1))
            store.dispatch(BankAction.deposit(1))
            store.batch {
                store.dispatch(BankAction.deposit(1))
                store.dispatch(BankAction.deposit(1))
            }
        }
        store.dispatch(BankAction.deposit(1))
        var seen: [Int] = []
        for _ in 0..<5 { seen.append(await values.next() ?? -1) }
        #expect(seen == [0, 1, 2, 3, 5])
        #expect(values.lost == 0)
        first.cancel()
    }

    @Test
    func `a sequence of every value keeps no more than its reader's limit, and says what it lost`()
        async
    {
        let store = makeBank()
        var values = store.values(
            of: \.balance, buffering: .every(limit: 3, onOverflow: .dropOldest)
        )
        .makeAsyncIterator()
        let first = store.subscribe(\.other.count) { _, _ in
            for _ in 0..<100 { store.dispatch(BankAction.deposit(1)) }
        }
        store.dispatch(OtherAction())
        var seen: [Int] = []
        for _ in 0..<3 { seen.append(await values.next() ?? -1) }
        #expect(seen == [98, 99, 100])
        #expect(values.lost == 98)
        first.cancel()
    }

    @Test
    func `who read a value while a round had yet to show it is notified that it has changed back`()
    {
        let store = makeBank()
        let notified = Log<Void>()
        let first = store.subscribe(\.other.count) { _, _ in
            store.dispatch(BankAction.deposit(1))
            withObservationTracking {
                #expect(store[\.balance] == 1)
            } onChange: {
                notified.append(())
            }
            store.dispatch(BankAction.deposit(-1))
        }
        // The value is subscribed to before, so that its group is marked when it is read.
        let watching = store.subscribe(\.balance) { _, _ in }
        withObservationTracking {
            _ = store[\.balance]
        } onChange: {
        }
        store.dispatch(OtherAction())
        #expect(notified.all.count == 1)
        withExtendedLifetime((first, watching)) {}
    }

    // MARK: Actors

    @Test @MainActor
    func `an actor sees nothing of the inside of a batch, nor a version that others have not seen`()
        async
    {
        let store = makeBank()
        let (elsewhere, here) = (Recorder(of: store, \.balance), Recorder<Int>())
        let token = store.subscribe(\.balance) { @MainActor old, new in
            #expect(elsewhere.values.contains(new))
            here.record(old, new)
        }
        onThreads(2) { _ in
            for _ in 0..<50 {
                store.batch {
                    store.dispatch(BankAction.deposit(-3))
                    store.dispatch(BankAction.deposit(5))
                }
            }
        }
        await store.waitUntilIdle()
        #expect(here.values.allSatisfy { $0.isMultiple(of: 2) })
        #expect(here.values.last == 200)
        #expect(here.changes.map(\.old) == [0] + here.values.dropLast())
        token.cancel()
    }

    @Test
    func `a subscriber on a busy actor has one call waiting, from the oldest value to the newest`()
        async
    {
        actor Screen {
            private(set) var seen: [[Int]] = []
            let (isBusy, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            func stop() {
                isBusy.signal()
                wait(for: goOn)
            }
            func show(_ old: Int, _ new: Int) { seen.append([old, new]) }
        }
        let (store, screen) = (makeBank(), Screen())
        let token = store.subscribe(.path(\.balance), on: screen) { $0.show($1, $2) }
        let stopped = Task { await screen.stop() }
        await Task.detached { wait(for: screen.isBusy) }.value
        for _ in 0..<1_000 { store.dispatch(BankAction.deposit(1)) }
        #expect(store.diagnostics.skippedValues == 999)
        for _ in 0..<2 { store.dispatch(BankAction.nothing) }
        screen.goOn.signal()
        await stopped.value
        await store.waitUntilIdle()
        #expect(await screen.seen == [[0, 1_000]])
        token.cancel()
    }

    // MARK: Loops

    @Test
    func `who answers each change is no loop, however long others commit without a pause`() {
        let mistakes = Mistakes()
        let store = makeBank(options: mistakes.options(limits: StoreLimits(generations: 20)))
        // Keeps a copy of the balance, as part of the same selection.
        let mirror = store.subscribe(.path(\.self)) { _, bank in
            let difference = bank.balance - bank.other.count
            if difference != 0 { store.dispatch(OtherAction(by: difference)) }
        }
        onThreads(2) { _ in for _ in 0..<2_000 { store.dispatch(BankAction.deposit(1)) } }
        store.dispatch(BankAction.nothing)
        #expect(mistakes.all.isEmpty)
        #expect(store.state.balance == 4_000)
        mirror.cancel()
    }

    @Test
    func `a loop is found when several threads make its rounds`() async {
        let mistakes = Mistakes()
        let store = makeBank(options: mistakes.options(limits: StoreLimits(generations: 20)))
        let ping = store.subscribe(\.balance) { _, _ in store.dispatch(OtherAction()) }
        let pong = store.subscribe(\.other.count) { _, _ in store.dispatch(BankAction.deposit(1)) }
        onThreads(4) { _ in store.dispatch(BankAction.deposit(1)) }
        await store.waitUntilIdle()
        #expect(mistakes.kinds.allSatisfy { $0 == .subscriberLoop })
        #expect(!mistakes.kinds.isEmpty)
        ping.cancel()
        pong.cancel()
    }

    // MARK: Rows

    @Test
    func `many rows that change in one batch are each notified once, and no others`() {
        let store = makeTodos(5_000)
        let log = Log<Int>()
        let tokens = (0..<5_000).map { id in
            store.subscribe(.row(\.todos, id: id)) { _, _ in log.append(id) }
        }
        store.batch {
            for id in 0..<2_000 { store.dispatch(TodoAction.toggle(id)) }
            for id in 1_000..<2_000 { store.dispatch(TodoAction.toggle(id)) }
        }
        #expect(log.all == Array(0..<1_000))
        withExtendedLifetime(tokens) {}
    }
}

/// Waits on a thread where waiting is allowed.
private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
