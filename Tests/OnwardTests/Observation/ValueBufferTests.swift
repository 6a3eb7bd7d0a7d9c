// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardObservation

@Suite struct ValueBufferTests {
    /// What is read from a buffer, each value with a mark if it is known to come after a gap.
    private func read(_ buffer: inout ValueBuffer<Int>) -> [String] {
        var read: [String] = []
        while let item = buffer.take() {
            read.append((item.isAfterGap ? "…" : "") + "\(item.value)")
        }
        return read
    }

    @Test
    func `the latest value replaces the one that waits`() {
        var buffer = ValueBuffer<Int>(.latest)
        #expect((1...3).map { buffer.offer($0) } == [nil, 1, 2])
        #expect(read(&buffer) == ["…3"])
        #expect(buffer.lost == 2)
        _ = buffer.offer(4)
        #expect(read(&buffer) == ["4"])
    }

    @Test
    func `the oldest values are lost when a buffer of the newest is full`() {
        var buffer = ValueBuffer<Int>(.every(limit: 3, onOverflow: .dropOldest))
        #expect((1...5).map { buffer.offer($0) } == [nil, nil, nil, 1, 2])
        #expect(read(&buffer) == ["…3", "4", "5"])
        #expect(buffer.lost == 2)
    }

    @Test
    func `the newest values are lost when a buffer of the oldest is full`() {
        var buffer = ValueBuffer<Int>(.every(limit: 3, onOverflow: .dropNewest))
        #expect((1...5).map { buffer.offer($0) } == [nil, nil, nil, 4, 5])
        #expect(buffer.take()?.value == 1)
        _ = buffer.offer(6)
        _ = buffer.offer(7)
        #expect(read(&buffer) == ["2", "3", "…6"])
        #expect(buffer.lost == 3)
    }

    @Test
    func `a buffer has room for at least one value`() {
        var buffer = ValueBuffer<Int>(.every(limit: -1, onOverflow: .dropOldest))
        #expect(buffer.offer(1) == nil)
        #expect(buffer.offer(2) == 1)
        #expect(read(&buffer) == ["…2"])
    }

    @Test
    func `a reader that waits learns that values before were lost`() async {
        let feed = ValueFeed<Int>(.every(limit: 1, onOverflow: .dropNewest))
        feed.offer(1)
        feed.offer(2)
        #expect(await feed.next(isolation: nil)?.value == 1)
        async let next = feed.next(isolation: nil)
        while !feed.isAwaited { await Task.yield() }
        feed.offer(1)
        #expect(await next?.isAfterGap == true)
    }
}
