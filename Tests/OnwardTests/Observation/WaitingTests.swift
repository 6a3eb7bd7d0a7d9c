// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardTesting
import Synchronization
import Testing

@testable import TestSupport

@Suite struct WaitingTests {
    @Test
    func `wait returns at once when the state fulfils the condition already`() async throws {
        let store = makeBank(Bank(balance: 5))
        #expect(try await store.wait { $0.balance == 5 }.balance == 5)
    }

    @Test
    func `wait returns the first state that fulfils the condition`() async throws {
        let store = makeBank()
        async let found = store.wait { $0.balance > 2 }
        await Task.detached {
            for _ in 0..<10 { store.dispatch(BankAction.deposit(1)) }
        }.value
        // Either it came in time and saw 3, or it came after all of them and saw 10 at once.
        let balance = try await found.balance
        #expect(balance >= 3)
    }

    @Test
    func `wait ends with an error when its task is cancelled`() async {
        let store = makeBank()
        let task = Task { try await store.wait { $0.balance < 0 } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test
    func `wait ends with a typed error when the store ends`() async throws {
        let store = makeBank()
        let started = Log<Int>()
        let task = Task {
            try await store.wait {
                started.append($0.balance)
                return false
            }
        }
        while started.all.isEmpty { await Task.yield() }
        await store.shutdown()
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .ended)
        #expect(error?.description == "The store ended before the state fulfilled the condition.")
        await #expect(throws: StoreError.self) { try await store.wait { _ in false } }
    }

    @Test
    func `wait looks at the last state once more when the store ends`() async throws {
        let store = makeBank()
        let (started, isAllowed) = (Log<Int>(), Guarded(false))
        let task = Task {
            try await store.wait {
                started.append($0.balance)
                return isAllowed.withValue(\.self) && $0.balance == 3
            }.balance
        }
        while started.all.isEmpty { await Task.yield() }
        store.dispatch(BankAction.deposit(3))
        isAllowed.withValue { $0 = true }
        await store.shutdown()
        #expect(try await task.value == 3)
        #expect(try await store.wait { $0.balance == 3 }.balance == 3)
    }

    @Test
    func `waiting until a commit is notified returns at once where all is notified`() async {
        let store = makeBank()
        await store.log.waitUntilNotified(of: 0)
        let version = store.dispatch(BankAction.deposit(1)).version
        #expect(version == 1)
        await store.log.waitUntilNotified(of: 1)
        await store.log.waitUntilNotified(of: 1_000)
    }

    @Test
    func `waiting until a commit is notified ends with the call of its last subscriber`() async {
        let store = makeBank()
        let (isCalled, mayReturn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let notified = Log<Int>()
        let token = store.subscribe(\.balance) { _, new in
            if new == 1 {
                isCalled.signal()
                mayReturn.wait()
            }
            notified.append(new)
        }
        Thread.detachNewThread { store.dispatch(BankAction.deposit(1)) }
        await Task.detached { isCalled.waitHere() }.value
        // Another thread is notifying, so these come back unnotified.
        let version = (1...3).compactMap { _ in store.dispatch(BankAction.deposit(1)).version }.last
        #expect(notified.all.isEmpty)
        let waiting = Task {
            await store.log.waitUntilNotified(of: version ?? 0)
            return notified.all
        }
        for _ in 0..<10 { await Task.yield() }
        mayReturn.signal()
        #expect(await waiting.value == [1, 4])
        token.cancel()
    }

    @Test
    func `waiting until a commit is notified waits for the end of a batch`() async {
        let store = makeBank()
        let notified = Log<Int>()
        let token = store.subscribe(\.balance) { _, new in notified.append(new) }
        let (isOpen, mayClose) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            store.batch {
                store.dispatch(BankAction.deposit(1))
                isOpen.signal()
                mayClose.wait()
            }
        }
        await Task.detached { isOpen.waitHere() }.value
        let version = store.dispatch(BankAction.deposit(1)).version
        let waiting = Task {
            await store.log.waitUntilNotified(of: version ?? 0)
            return notified.all
        }
        for _ in 0..<10 { await Task.yield() }
        #expect(notified.all.isEmpty)
        mayClose.signal()
        #expect(await waiting.value == [2])
        token.cancel()
    }

    @Test
    func `wait asks no more once it has returned`() async throws {
        let store = makeBank()
        let asked = Log<Int>()
        try await store.wait { bank in
            asked.append(bank.balance)
            return true
        }
        store.dispatch(BankAction.deposit(1))
        #expect(asked.all == [0])
    }

    @Test(.timeLimit(.minutes(5)))
    func `shutdown refuses what comes while it waits for a call under way`() async {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let goOn = DispatchSemaphore(value: 0)
        let token = store.subscribe(\.balance) { old, new in
            recorder.record(old, new)
            goOn.wait()
        }
        let thread = Thread { store.dispatch(BankAction.deposit(1)) }
        thread.start()
        await recorder.waitUntilCalled(1)
        let isOver = Log<Bool>()
        let ends = (0..<2).map { _ in
            Task {
                await store.shutdown()
                isOver.append(true)
            }
        }
        var result = DispatchResult.withheld
        while result != .refused(.shutDown), store.log.version < 100_000 {
            result = store.dispatch(OtherAction())
            await Task.yield()
        }
        #expect(result == .refused(.shutDown))
        #expect(isOver.all.isEmpty)
        goOn.signal()
        for end in ends { await end.value }
        #expect(recorder.values == [1])
        token.cancel()
    }

    @Test
    func `idle returns when all deliveries, also those on actors, were made`() async {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let token = store.subscribe(\.balance) { @MainActor old, new in recorder.record(old, new) }
        await Task.detached {
            for _ in 0..<100 { store.dispatch(BankAction.deposit(1)) }
        }.value
        await store.waitUntilIdle()
        #expect(recorder.values.last == 100)
        token.cancel()
    }

    @Test
    func `shutdown makes the deliveries that are due, then releases all subscribers`() async {
        final class Screen: Sendable {}
        let store = makeBank()
        let recorder = Recorder<Int>()
        weak var weakly: Screen?
        var token: Subscription?
        do {
            let screen = Screen()
            weakly = screen
            token = store.subscribe(\.balance) { @MainActor old, new in
                _ = screen
                recorder.record(old, new)
            }
        }
        await Task.detached { _ = store.dispatch(BankAction.deposit(1)) }.value
        await store.shutdown()
        #expect(recorder.values == [1])
        #expect(weakly == nil)
        #expect(store.state.balance == 1)
        await store.shutdown()
        withExtendedLifetime(token) {}
    }
}

extension DispatchSemaphore {
    /// Waits on the calling thread, which nothing else needs.
    fileprivate func waitHere() { wait() }
}
