// SPDX-License-Identifier: MIT

import Onward
import Synchronization
import Testing

@testable import TestSupport

@Suite(.bothWays) struct Promise06CancelStressTests {
    @Test
    func `Cancel means cancel: after cancelAndWait no call comes, whoever dispatches`() async {
        let store = makeBank()
        let isDone = Guarded(false)
        let late = Guarded(0)
        let dispatchers = Task.detached {
            onThreads(2) { _ in
                while !isDone.withValue({ $0 }) { store.dispatch(BankAction.deposit(1)) }
            }
        }
        for _ in 0..<scaled(2_000) {
            let isOver = Guarded(false)
            let token = store.subscribe(\.balance) { _, _ in
                if isOver.withValue({ $0 }) { late.withValue { $0 += 1 } }
            }
            await token.cancelAndWait()
            isOver.withValue { $0 = true }
        }
        isDone.withValue { $0 = true }
        await dispatchers.value
        #expect(late.withValue { $0 } == 0)
    }

    @Test
    func `Cancel means cancel: from elsewhere at most the one call that is under way`() {
        let store = makeBank()
        let isDone = Guarded(false)
        let tooMany = Guarded(0)
        onThreads(3) { thread in
            if thread > 0 {
                while !isDone.withValue({ $0 }) { store.dispatch(BankAction.deposit(1)) }
                return
            }
            for _ in 0..<scaled(2_000) {
                let calls = Guarded(0)
                let isCancelled = Guarded(false)
                let token = store.subscribe(\.balance) { _, _ in
                    if isCancelled.withValue({ $0 }) { calls.withValue { $0 += 1 } }
                }
                token.cancel()
                isCancelled.withValue { $0 = true }
                if calls.withValue({ $0 }) > 1 { tooMany.withValue { $0 += 1 } }
            }
            isDone.withValue { $0 = true }
        }
        #expect(tooMany.withValue { $0 } == 0)
    }
}
