// SPDX-License-Identifier: MIT
#if All

import Onward
import OnwardJournal
import Testing

@testable import OnwardPostgres

struct ReadQueueTests {
    private func reading(_ caller: Int) -> ReadQueue<Int>.Read {
        ReadQueue.Read(
            store: StoreName(number: Int64(caller), text: "store"), version: 1, limit: 16,
            caller: caller)
    }

    @Test func `a reading goes at once, those that come during a flight go together`() {
        var queue = ReadQueue<Int>(flights: 1)
        #expect(queue.add(reading(1)) == .begins)
        #expect(queue.next()?.map(\.caller) == [1])
        #expect(queue.add(reading(2)) == .waits)
        #expect(queue.add(reading(3)) == .waits)
        #expect(queue.next()?.map(\.caller) == [2, 3])
        #expect(queue.next() == nil)
        #expect(queue.add(reading(4)) == .begins)
    }

    @Test func `as many flights are under way as may be`() {
        var queue = ReadQueue<Int>(flights: 2)
        #expect(queue.add(reading(1)) == .begins)
        #expect(queue.add(reading(2)) == .begins)
        #expect(queue.add(reading(3)) == .waits)
    }

    @Test func `a flight is bounded, and so is what waits`() {
        var queue = ReadQueue<Int>(flights: 1)
        for caller in 0..<ReadQueue<Int>.waiterLimit { _ = queue.add(reading(caller)) }
        #expect(queue.add(reading(-1)) == .refused)
        #expect(queue.next()?.map(\.caller) == Array(0..<ReadQueue<Int>.readingsPerFlight))
        #expect(queue.add(reading(-1)) == .waits)
    }
}
#endif
