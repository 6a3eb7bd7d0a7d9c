// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Synchronization
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct FirstCallStressTests {
    @Test(arguments: [DeliveryPolicy.every, .latest])
    func `subscribing returns and nothing is lost, while others dispatch without end`(
        policy: DeliveryPolicy
    ) async {
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
            let token = store.subscribe(\.balance, initially: true, policy: policy) { old, new in
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
        await store.idle()
        #expect(wrong.withValue { $0 } == 0)
        #expect(last.values.last == store.state.balance)
    }
}
