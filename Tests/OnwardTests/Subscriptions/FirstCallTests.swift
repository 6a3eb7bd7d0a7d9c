// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import TestSupport

/// What happens to changes that come while the first call of a subscription is being made.
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
    func `what was committed during the first call is notified as one, before subscribe returns`() {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let token = subscribe(to: store, depositing: 10) { old, new, _ in
            recorder.record(old, new)
        }
        #expect(recorder.values == [0, 10])
        #expect(recorder.changes.map(\.old) == [0, 0])
        store.dispatch(BankAction.deposit(1))
        #expect(recorder.changes.last.map { [$0.old, $0.new] } == [10, 11])
        token.cancel()
    }

    @Test
    func `one that joins others is notified from what its first call was given`() {
        let store = makeBank()
        let others = Recorder(of: store, \.balance)
        let recorder = Recorder<Int>()
        let token = subscribe(to: store, depositing: 3) { old, new, _ in recorder.record(old, new) }
        #expect(others.values == [1, 2, 3])
        #expect(recorder.values == [0, 3])
        store.dispatch(BankAction.deposit(1))
        #expect(others.values.last == 4)
        #expect(recorder.changes.last.map { [$0.old, $0.new] } == [3, 4])
        token.cancel()
    }

    @Test
    func `changes that came back to what the first call was given are not notified`() async {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let token = store.subscribe(\.balance, initially: true) { old, new in
            recorder.record(old, new)
            guard new == 0 else { return }
            onThreads(1) { _ in
                store.dispatch(BankAction.deposit(1))
                store.dispatch(BankAction.deposit(-1))
            }
        }
        await store.waitUntilIdle()
        #expect(recorder.values == [0])
        store.dispatch(BankAction.deposit(5))
        #expect(recorder.changes.last.map { [$0.old, $0.new] } == [0, 5])
        token.cancel()
    }

    @Test
    func `idle waits for what was committed during a first call`() async {
        let store = makeBank()
        let recorder = Recorder<Int>()
        let token = subscribe(to: store, depositing: 1_000) { old, new, _ in
            recorder.record(old, new)
        }
        await store.waitUntilIdle()
        #expect(recorder.values == [0, 1_000])
        token.cancel()
    }

    @Test
    func `what follows a first call belongs to the newest commit`() async {
        let store = makeBank()
        let parents = Log<CommitVersion?>()
        struct Parents: CommitObserver {
            let log: Log<CommitVersion?>
            func observe(_ commit: Commit<Bank>) { log.append(commit.entry.parent) }
        }
        let observing = store.log.attach(Parents(log: parents))
        let token = subscribe(to: store, depositing: 2) { _, new, isFirst in
            if !isFirst, new == 2 { store.dispatch(OtherAction()) }
        }
        await store.waitUntilIdle()
        #expect(parents.all == [nil, nil, 2])
        withExtendedLifetime((token, observing)) {}
    }
}
