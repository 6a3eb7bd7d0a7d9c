// SPDX-License-Identifier: MIT

import Synchronization
import Testing

@testable import TunesService

@Suite struct FetchSlotsTests {
    /// How many run now, and how many did at most.
    private final class Occupancy: Sendable {
        private let counts = Mutex((now: 0, most: 0))

        var most: Int { counts.withLock { $0.most } }

        func enter() {
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
        }

        func leave() { counts.withLock { $0.now -= 1 } }
    }

    @Test func `a limited number fetch at once, the others in turn`() async {
        let slots = FetchSlots(limit: 3)
        let occupancy = Occupancy()
        let count = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<50 {
                group.addTask {
                    await slots.run {
                        occupancy.enter()
                        await Task.yield()
                        occupancy.leave()
                        return number
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 == nil ? 0 : 1) }
        }
        #expect(count == 50)
        #expect(occupancy.most <= 3)
        #expect(await slots.run { true } == true)
    }

    @Test func `no more wait than the limit allows`() async {
        let slots = FetchSlots(limit: 1, waitingLimit: 0)
        let second = await slots.run { await slots.run { true } }
        #expect(second == .some(nil))
    }
}
