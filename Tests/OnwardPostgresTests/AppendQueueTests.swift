// SPDX-License-Identifier: MIT
#if All

import Onward
import OnwardJournal
import Testing

@testable import OnwardPostgres

struct AppendQueueTests {
    private let begin = ContinuousClock.now

    private func append(
        _ versions: ClosedRange<CommitVersion>, _ caller: String, within seconds: Int = 10
    ) -> AppendQueue<String>.Append {
        AppendQueue.Append(
            entries: entries(versions), expected: position(versions.lowerBound - 1),
            deadline: begin + .seconds(seconds), caller: caller)
    }

    @Test
    func `what comes during a flight goes with the next one, as far as it follows one another`() {
        var queue = AppendQueue<String>(limit: 100)
        #expect(queue.add(append(1...1, "a")) == .begins)
        #expect(queue.next()?.map(\.caller) == ["a"])
        #expect(queue.add(append(2...3, "b")) == .waits)
        #expect(queue.add(append(4...4, "c")) == .waits)
        #expect(queue.add(append(4...4, "d")) == .waits)
        #expect(queue.land().map(\.caller) == ["a"])
        #expect(queue.next()?.map(\.caller) == ["b", "c"])
        #expect(queue.land().map(\.expected) == [position(1), position(3)])
        #expect(queue.next()?.map(\.caller) == ["d"])
        _ = queue.land()
        #expect(queue.next() == nil)
        #expect(queue.add(append(5...5, "e")) == .begins)
    }

    @Test func `a flight is bounded, and one append is never divided`() {
        var queue = AppendQueue<String>(limit: 10_000)
        _ = queue.add(append(1...1_500, "a"))
        _ = queue.add(append(1_501...2_400, "b"))
        _ = queue.add(append(2_401...2_500, "c"))
        _ = queue.add(append(2_501...2_501, "d"))
        #expect(queue.next()?.map(\.caller) == ["a"])
        #expect(queue.next()?.map(\.caller) == ["b", "c"])
        #expect(queue.next()?.map(\.caller) == ["d"])
    }

    @Test func `more entries than may wait are refused, but never the only append`() {
        var queue = AppendQueue<String>(limit: 3)
        #expect(queue.add(append(1...9, "a")) == .begins)
        #expect(queue.add(append(10...10, "b")) == .refused)
        _ = queue.next()
        #expect(queue.add(append(10...12, "b")) == .waits)
        #expect(queue.add(append(13...13, "c")) == .refused)
    }

    @Test func `who waits for too long is answered: what flies may land, what waits is never sent`()
    {
        var queue = AppendQueue<String>(limit: 100)
        _ = queue.add(append(1...1, "a", within: 1))
        _ = queue.next()
        _ = queue.add(append(2...2, "b", within: 2))
        _ = queue.add(append(3...3, "c", within: 9))
        #expect(queue.mustBeWatched() == true)
        #expect(queue.mustBeWatched() == false)
        #expect(queue.nextDeadline() == begin + .seconds(1))
        let late = queue.expire(at: begin + .seconds(2))
        #expect(late.unknown == ["a"])
        #expect(late.unsent == ["b"])
        #expect(queue.deadline == begin + .seconds(9))
        // Nobody waits any more but one, and then nobody: who comes later is watched anew.
        #expect(queue.expire(at: begin + .seconds(9)).unsent == ["c"])
        #expect(queue.nextDeadline() == nil)
        #expect(queue.mustBeWatched() == true)
        _ = queue.add(append(3...3, "c"))
        #expect(queue.land().isEmpty)
        #expect(queue.next()?.map(\.caller) == ["c"])
    }
}
#endif
