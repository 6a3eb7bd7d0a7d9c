// SPDX-License-Identifier: MIT

import Onward
import Synchronization
import Testing

@testable import TestSupport

@Suite(.bothWays) struct Promise03ReadYourWritesStressTests {
    struct Slots: Sendable { var counts = [Int](repeating: 0, count: 8) }
    struct Bump: Action { let slot: Int }

    @Test
    func `Read your writes, while eight threads write`() {
        let store = Store(Slots()) {
            Reduce { (slots: inout Slots, action: Bump) in slots.counts[action.slot] += 1 }
        }
        let misses = Guarded(0)
        onThreads(8) { slot in
            for count in 1...scaled(10_000) {
                store.dispatch(Bump(slot: slot))
                if store.state.counts[slot] != count { misses.withValue { $0 += 1 } }
            }
        }
        #expect(misses.withValue { $0 } == 0)
    }
}
