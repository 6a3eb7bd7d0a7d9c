// SPDX-License-Identifier: MIT

import Onward
import Synchronization
import Testing

@testable import TestSupport

@Suite(.bothWays) struct Promise04ForwardOnlyStressTests {
    @Test
    func `Forward only: never two calls at a time, never backwards, while eight threads dispatch`()
        async
    {
        let store = makeBank()
        struct Seen {
            var isInside = false
            var last = 0
            var violations = 0
        }
        let plain = Guarded(Seen())
        let main = Guarded(Seen())
        @Sendable func note(_ seen: Guarded<Seen>, _ old: Int, _ new: Int) {
            seen.withValue { seen in
                if seen.isInside || old != seen.last || new <= old { seen.violations += 1 }
                seen.isInside = true
            }
            seen.withValue { seen in
                seen.last = new
                seen.isInside = false
            }
        }
        let tokens = [
            store.subscribe(\.balance) { old, new in note(plain, old, new) },
            store.subscribe(\.balance) { @MainActor old, new in note(main, old, new) },
        ]
        let each = scaled(5_000)
        onThreads(8) { _ in
            for _ in 0..<each { store.dispatch(BankAction.deposit(1)) }
        }
        await store.waitUntilIdle()
        #expect(plain.withValue { $0.violations } == 0)
        #expect(plain.withValue { $0.last } == 8 * each)
        #expect(main.withValue { $0.violations } == 0)
        #expect(main.withValue { $0.last } == 8 * each)
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `Forward only: the first value and the calls after it leave no gap while others dispatch`()
    {
        let store = makeBank()
        let isDone = Guarded(false)
        let gaps = Guarded(0)
        onThreads(3) { thread in
            guard thread > 0 else {
                for _ in 0..<scaled(100_000) { store.dispatch(BankAction.deposit(1)) }
                isDone.withValue { $0 = true }
                return
            }
            while !isDone.withValue({ $0 }) {
                let last = Guarded<Int?>(nil)
                let calls = Atomic(0)
                let token = store.subscribe(\.balance, initially: true) { old, new in
                    last.withValue { last in
                        if let seen = last, seen != old || new <= seen {
                            gaps.withValue { $0 += 1 }
                        }
                        last = new
                    }
                    calls.add(1, ordering: .relaxed)
                }
                // A call that got lost would show as a gap before the next one.
                while calls.load(ordering: .relaxed) < 4, !isDone.withValue({ $0 }) {}
                token.cancel()
            }
        }
        #expect(gaps.withValue { $0 } == 0)
    }
}
