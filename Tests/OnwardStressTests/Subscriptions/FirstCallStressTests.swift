// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Synchronization
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct FirstCallStressTests {
    @Test
    func `subscribing returns and nothing is lost, while others dispatch without end`() async {
        let store = makeBank()
        let isDone = Atomic(false)
        let dispatchers = Task.detached { [store] in
            onThreads(2) { _ in
                while !isDone.load(ordering: .relaxed) { store.dispatch(BankAction.deposit(1)) }
            }
        }
        struct Seen {
            var last: Int?
            var isInside = false
        }
        let wrong = Guarded(0)
        for _ in 0..<scaled(500) {
            let seen = Guarded(Seen())
            let token = store.subscribe(\.balance, initially: true) { old, new in
                let isWrong = seen.withValue { seen in
                    let isForward = seen.last == nil || (seen.last == old && new > old)
                    defer { seen.isInside = true }
                    return seen.isInside || !isForward
                }
                if isWrong { wrong.withValue { $0 += 1 } }
                seen.withValue { $0 = Seen(last: new) }
            }
            token.cancel()
        }
        let last = Recorder(of: store, \.balance, initially: true)
        isDone.store(true, ordering: .relaxed)
        await dispatchers.value
        await store.waitUntilIdle()
        #expect(wrong.withValue { $0 } == 0)
        #expect(last.values.last == store.state.balance)
    }

    @Test
    func
        `what comes while the subscriber is notified of what it dispatched in its first call waits`()
    {
        let store = makeBank()
        let isDone = Atomic(false)
        let isLate = Atomic(false)
        let dispatched = Atomic(0)
        let wrong = Guarded(0)
        onThreads(2) { thread in
            guard thread == 0 else {
                while !isDone.load(ordering: .relaxed) {
                    guard isLate.load(ordering: .relaxed) else { continue }
                    store.dispatch(BankAction.deposit(1))
                    dispatched.add(1, ordering: .relaxed)
                }
                return
            }
            for _ in 0..<scaled(200) {
                let calls = Guarded((count: 0, last: -1))
                let token = store.subscribe(\.balance, initially: true) { _, new in
                    let count = calls.withValue { calls in
                        if new < calls.last { wrong.withValue { $0 += 1 } }
                        calls = (calls.count + 1, new)
                        return calls.count
                    }
                    // Nobody else dispatches, so this thread delivers it, and leaves it for the end of this call.
                    if count == 1 { store.dispatch(BankAction.deposit(1)) }
                    guard count == 2 else { return }
                    isLate.store(true, ordering: .relaxed)
                    // Asking the store would order the threads, and hide what is not ordered.
                    let before = dispatched.load(ordering: .relaxed)
                    while dispatched.load(ordering: .relaxed) < before + 3 {}
                    isLate.store(false, ordering: .relaxed)
                }
                token.cancel()
            }
            isDone.store(true, ordering: .relaxed)
        }
        #expect(wrong.withValue { $0 } == 0)
    }
}
