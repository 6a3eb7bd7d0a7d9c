// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardJournal

struct RecordingQueueTests {
    private func item(_ version: Version) -> RecordingMachine.Item {
        RecordingMachine.Item(entry: Entry(version: version, action: Note(text: "")))
    }

    /// Takes batches until there is none.
    private func drain(_ queue: inout RecordingQueue) -> [[Version]] {
        var batches: [[Version]] = []
        var batch: [RecordingMachine.Item] = []
        while queue.takeBatch(&batch) {
            batches.append(batch.map(\.entry.version))
            batch.removeAll(keepingCapacity: true)
        }
        return batches
    }

    @Test(arguments: [0, 1, 255, 256, 257, 1_000])
    func `each commit is taken once, in the order of the commits`(count: Version) {
        var queue = RecordingQueue()
        for version in 0..<count { queue.append(item(version)) }
        #expect(queue.count == Int(count))
        let batches = drain(&queue)
        #expect(batches.flatMap { $0 } == Array(0..<count))
        #expect(batches.allSatisfy { $0.count <= 256 })
        #expect(queue.isEmpty && queue.count == 0)
    }

    @Test func `what comes while a batch is written waits behind what waits`() {
        var queue = RecordingQueue()
        var batch: [RecordingMachine.Item] = []
        var (next, taken): (Version, [Version]) = (0, [])
        for round in 0..<100 {
            for _ in 0..<(round * 37 % 400) {
                queue.append(item(next))
                next += 1
            }
            if queue.takeBatch(&batch) {
                taken += batch.map(\.entry.version)
                batch.removeAll(keepingCapacity: true)
            }
            #expect(queue.count == Int(next) - taken.count)
        }
        #expect(taken + drain(&queue).flatMap { $0 } == Array(0..<next))
    }

    @Test(arguments: [0, 1, 255, 256, 300, 600, 700])
    func `what a state includes is taken out, and the rest stays`(version: Version) {
        var queue = RecordingQueue()
        for version in 1...600 as ClosedRange<Version> { queue.append(item(version)) }
        #expect(queue.takeAll(upTo: version).count == Int(min(version, 600)))
        #expect(queue.count == 600 - Int(min(version, 600)))
        let rest = drain(&queue).flatMap { $0 }
        #expect(rest.first == (version < 600 ? version + 1 : nil))
    }
}
