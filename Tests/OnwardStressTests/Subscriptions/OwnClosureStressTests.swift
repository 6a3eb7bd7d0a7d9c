// SPDX-License-Identifier: MIT

import Onward
import Synchronization
import Testing

@testable import OnwardCore
@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct OwnClosureStressTests {
    private final class Captured: Sendable {
        let number: Int
        let alive: Guarded<Int>

        init(_ number: Int, _ alive: Guarded<Int>) {
            self.number = number
            self.alive = alive
            alive.withValue { $0 += 1 }
        }

        deinit { alive.withValue { $0 -= 1 } }
    }

    @Test
    func `closures that come and go on many threads are notified forward, and then let go of`()
        async
    {
        let store = makeBank()
        let alive = Guarded(0)
        let wrong = Guarded(0)
        onThreads(4) { thread in
            for cycle in 0..<scaled(2_000) {
                guard thread > 0 else {
                    store.dispatch(BankAction.deposit(1))
                    continue
                }
                let captured = Captured(cycle, alive)
                let last = Guarded(Int.min)
                let token = store.subscribe(
                    .selecting { $0.balance + captured.number }, initially: cycle % 2 == 0
                ) { old, new in
                    let isForward = last.withValue { last in
                        defer { last = new }
                        return last == .min || last == old && new > old
                    }
                    if !isForward { wrong.withValue { $0 += 1 } }
                }
                if cycle % 3 == 0 { store.dispatch(BankAction.deposit(1)) }
                token.cancel()
            }
        }
        await store.waitUntilIdle()
        #expect(wrong.withValue { $0 } == 0)
        #expect(alive.withValue { $0 } == 0)
        #expect(store.engine.withLock { $0.state.index.groups.isEmpty })
    }

    @Test
    func `a thread that alone dispatches has notified when it returns, whoever comes and goes`() {
        let store = makeBank()
        let notified = Guarded(0)
        let isOver = Guarded(false)
        let unnotified = Guarded(0)
        let token = store.subscribe(\.balance) { _, new in notified.withValue { $0 = new } }
        onThreads(4) { thread in
            guard thread > 0 else {
                for balance in 1...scaled(100_000) {
                    store.dispatch(BankAction.deposit(1))
                    if notified.withValue({ $0 }) != balance { unnotified.withValue { $0 += 1 } }
                }
                return isOver.withValue { $0 = true }
            }
            var number = 0
            while !isOver.withValue({ $0 }) {
                number += 1
                store.subscribe(.selecting { [number] in $0.other.count + number }) { _, _ in }
                    .cancel()
            }
        }
        #expect(unnotified.withValue { $0 } == 0)
        token.cancel()
    }

    @Test func `closures that stay are given the newest value when all has been notified`() async {
        let store = makeBank()
        let newest = Guarded([Int: Int]())
        let tokens = Guarded([Subscription]())
        onThreads(4) { thread in
            for cycle in 0..<scaled(200) {
                let number = thread * 1_000 + cycle
                let token = store.subscribe(
                    .selecting { number < 0 ? 0 : $0.balance * 2 }, initially: true
                ) { _, new in newest.withValue { $0[number] = new } }
                tokens.withValue { $0.append(token) }
                store.dispatch(BankAction.deposit(1))
            }
        }
        await store.waitUntilIdle()
        let balance = store.state.balance
        #expect(newest.withValue { Set($0.values) } == [balance * 2])
        #expect(newest.withValue { $0.count } == tokens.withValue { $0.count })
    }
}
