// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import TestSupport

/// What happens to changes that come while the first call of a subscription is under way.
@Suite(.timeLimit(.minutes(5))) struct FirstCallTests {
    /// Subscribes, and has other threads deposit `count` while the first call is under way.
    private func subscribe(
        to store: Store<Bank>, depositing count: Int,
        _ body: @escaping @Sendable (_ old: Int, _ new: Int, _ isFirst: Bool) -> Void
    ) -> Subscription {
        let calls = Guarded(0)
        return store.subscribe(\.balance, initially: true) { old, new in
            let isFirst = calls.withValue { calls in
                calls += 1
                return calls == 1
            }
            if isFirst {
                onThreads(1) { _ in
                    for _ in 0..<count { store.dispatch(BankAction.deposit(1)) }
                }
            }
            body(old, new, isFirst)
        }
    }

    @Test
    func `the thread that subscribes makes the first call only, others what they delivered`() async
    {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let subscriber = CurrentThread.id
        // The others wait until subscribing has returned.
        let hasReturned = DispatchSemaphore(value: 0)
        let token = subscribe(to: store, depositing: 10) { old, new, isFirst in
            if new == 1, CurrentThread.id != subscriber { hasReturned.wait() }
            recorder.record(old, new)
        }
        let early = recorder.values
        hasReturned.signal()
        #expect(early == [0])
        await recorder.calls(11)
        #expect(recorder.values == Array(0...10))
        #expect(recorder.changes.map(\.old) == [0] + Array(0...9))
        await store.idle()
        store.dispatch(BankAction.deposit(1))
        #expect(recorder.values.last == 11)
        token.cancel()
    }

    @Test
    func `no more changes wait than the limit says; the others are delivered as one`() async {
        let store = makeBank(options: StoreOptions(limits: Limits(waitingCommits: 8)))
        let recorder = Recorder<Int>()
        let token = subscribe(to: store, depositing: 100) { old, new, _ in
            recorder.record(old, new)
        }
        await recorder.calls(9)
        await store.idle()
        #expect(recorder.values == Array(0...7) + [100])
        #expect(recorder.changes.map(\.old) == [0] + Array(0...7))
        token.cancel()
    }

    @Test
    func `changes that were joined and came back to what was notified are not notified`() async {
        let store = makeBank(options: StoreOptions(limits: Limits(waitingCommits: 1)))
        let recorder = Recorder<Int>()
        let token = store.subscribe(\.balance, initially: true) { old, new in
            recorder.record(old, new)
            guard new == 0 else { return }
            onThreads(1) { _ in
                store.dispatch(BankAction.deposit(1))
                store.dispatch(BankAction.deposit(-1))
            }
        }
        await store.idle()
        #expect(recorder.values == [0])
        store.dispatch(BankAction.deposit(5))
        #expect(recorder.changes.last.map { [$0.old, $0.new] } == [0, 5])
        token.cancel()
    }

    @Test
    func `cancelling ends the calls that were left`() async {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let entered = DispatchSemaphore(value: 0)
        let goOn = DispatchSemaphore(value: 0)
        let token = subscribe(to: store, depositing: 3) { old, new, _ in
            recorder.record(old, new)
            guard new == 1 else { return }
            entered.signal()
            goOn.wait()
        }
        wait(for: entered)
        token.cancel()
        goOn.signal()
        await store.idle()
        #expect(recorder.values == [0, 1])
    }

    @Test
    func `idle waits for what is left to others`() async {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let token = subscribe(to: store, depositing: 1_000) { old, new, _ in
            recorder.record(old, new)
        }
        await store.idle()
        #expect(recorder.values.count == 1_001)
        token.cancel()
    }

    @Test
    func `calls that were left belong to the delivery that brought them`() async {
        let store = makeBank()
        let parents = Log<Version?>()
        struct Parents: CommitObserver {
            let log: Log<Version?>
            func observe(_ commit: Commit<Bank>) { log.append(commit.entry.parent) }
        }
        let observing = store.log.attach(Parents(log: parents))
        let token = subscribe(to: store, depositing: 2) { _, new, isFirst in
            if !isFirst, new == 2 { store.dispatch(OtherAction()) }
        }
        await store.idle()
        #expect(parents.all == [nil, nil, 2])
        withExtendedLifetime((token, observing)) {}
    }
}

/// Waits on a thread where waiting is allowed.
private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
