// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Testing

@testable import OnwardBridge

@Suite struct BacklogTests {
    /// The mark of a delivery by the thread that makes it.
    private func mark(_ version: CommitVersion) -> DeliveryMark {
        DeliveryMark(version: version, generation: 0, chain: nil)
    }

    private func add(_ range: ClosedRange<Int>, to backlog: inout Backlog<[Int]>, limit: Int) {
        for number in range {
            _ = backlog.add([number], as: mark(CommitVersion(number)), limit: limit) {
                [$0[0]] + [$1[$1.count - 1]]
            }
        }
    }

    @Test
    func `calls come in their order, with the mark of their delivery`() {
        var backlog = Backlog<[Int]>()
        add(1...3, to: &backlog, limit: 10)
        var taken: [[Int]] = []
        while let late = backlog.take() { taken.append(late.call + [Int(late.mark.version)]) }
        #expect(taken == [[1, 1], [2, 2], [3, 3]])
        #expect(backlog.isEmpty)
    }

    @Test
    func `beyond the limit calls join with the last one, and what is replaced is given back`() {
        var backlog = Backlog<[Int]>()
        add(1...9, to: &backlog, limit: 3)
        let replaced = backlog.add([10], as: mark(10), limit: 3) { [$0[0], $1[0]] }
        #expect(replaced?.call == [3, 9])
        #expect(backlog.count == 3)
        var taken: [[Int]] = []
        while let late = backlog.take() { taken.append(late.call + [Int(late.mark.version)]) }
        #expect(taken == [[1, 1], [2, 2], [3, 10, 10]])
    }

    @Test
    func `a limit below one is one`() {
        var backlog = Backlog<[Int]>()
        add(1...3, to: &backlog, limit: 0)
        #expect(backlog.count == 1)
    }

    @Test
    func `one's own calls are those before the first one of another thread`() {
        let backlog = Guarded(Backlog<[Int]>())
        backlog.withValue { add(1...2, to: &$0, limit: 10) }
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            backlog.withValue { self.add(3...3, to: &$0, limit: 10) }
            isDone.signal()
        }
        isDone.wait()
        backlog.withValue { add(4...4, to: &$0, limit: 10) }
        #expect(backlog.withValue { $0.takeOwn()?.call } == [1])
        #expect(backlog.withValue { $0.takeOwn()?.call } == [2])
        #expect(backlog.withValue { $0.takeOwn()?.call } == nil)
        #expect(backlog.withValue { $0.take()?.call } == [3])
        #expect(backlog.withValue { $0.takeOwn()?.call } == [4])
    }
}
