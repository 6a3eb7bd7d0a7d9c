// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardJournal

struct RecordingQueueTests {
    private func item(_ version: CommitVersion) -> RecordingMachine.Item {
        RecordingMachine.Item(entry: LogEntry(version: version, action: Note(text: "")))
    }

    /// Takes batches until there is none.
    private func drain(_ queue: inout RecordingQueue) -> [[CommitVersion]] {
        var batches: [[CommitVersion]] = []
        var batch: [RecordingMachine.Item] = []
        while queue.takeBatch(&batch) {
            batches.append(batch.map(\.entry.version))
            batch.removeAll(keepingCapacity: true)
        }
        return batches
    }

    @Test(arguments: [0, 1, 255, 256, 257, 1_000])
    func `each commit is taken once, in the order of the commits`(count: CommitVersion) {
        var queue = RecordingQueue(limit: .max)
        for version in 0..<count { queue.append(item(version)) }
        #expect(queue.count == Int(count))
        let batches = drain(&queue)
        #expect(batches.flatMap { $0 } == Array(0..<count))
        #expect(batches.allSatisfy { $0.count <= 256 })
        #expect(queue.isEmpty && queue.count == 0)
    }

    @Test func `what comes while a batch is written waits behind what waits`() {
        var queue = RecordingQueue(limit: .max)
        var batch: [RecordingMachine.Item] = []
        var (next, taken): (CommitVersion, [CommitVersion]) = (0, [])
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
    func `what a state includes is taken out, and the rest stays`(version: CommitVersion) {
        var queue = RecordingQueue(limit: .max)
        for version in 1...600 as ClosedRange<CommitVersion> { queue.append(item(version)) }
        #expect(queue.takeAll(upTo: version).count == Int(min(version, 600)))
        #expect(queue.count == 600 - Int(min(version, 600)))
        let rest = drain(&queue).flatMap { $0 }
        #expect(rest.first == (version < 600 ? version + 1 : nil))
    }

    @Test func `as many bytes may wait as the limit says, and one commit always may`() {
        func item(_ bytes: Int) -> RecordingMachine.Item {
            RecordingMachine.Item(
                entry: LogEntry(version: 1, action: Note(text: "")), bytes: bytes)
        }
        var queue = RecordingQueue(limit: 10_000)
        #expect(queue.hasRoom(for: item(1_000_000)))
        queue.append(item(4_000))
        #expect(queue.hasRoom(for: item(4_000)))
        queue.append(item(4_000))
        #expect(!queue.hasRoom(for: item(4_000)))
        let bytes = queue.bytes
        var batch: [RecordingMachine.Item] = []
        let isTaken = queue.takeBatch(&batch)
        #expect(isTaken && queue.bytes == 0 && (8_000..<10_000).contains(bytes))
        #expect(queue.hasRoom(for: item(9_000)))
    }

    @Test func `large commits are written in smaller batches`() {
        var queue = RecordingQueue(limit: .max)
        for version in 1...10 as ClosedRange<CommitVersion> {
            queue.append(
                RecordingMachine.Item(
                    entry: LogEntry(version: version, action: Note(text: "")), bytes: 3 << 20))
        }
        #expect(drain(&queue).map(\.count) == [2, 2, 2, 2, 2])
        #expect(queue.bytes == 0)
    }
}

struct ActionSizesTests {
    private struct Plain: Action { let numbers: (Int, Int, Int, Int) }

    @Test func `an action without references takes the size of its type`() {
        let sizes = ActionSizes()
        #expect(sizes.bytes(of: Plain(numbers: (1, 2, 3, 4))) == 48)
    }

    @Test func `large actions are each examined, of small ones one in 32`() {
        let sizes = ActionSizes()
        let large = Note(text: String(repeating: "a", count: 1 << 20))
        for _ in 0..<8 { _ = sizes.bytes(of: Note(text: "a")) }
        let found = (0..<100).map { _ in sizes.bytes(of: large) }
        #expect(found.dropFirst(32).allSatisfy { $0 >= 1 << 20 })
        // A single large one in a row of small ones doesn't make those large for long.
        let after = (0..<100).map { _ in sizes.bytes(of: Note(text: "a")) }
        #expect(after.reduce(0, +) < 8 << 20)
        var sampling = ActionSizes.Sampling()
        var examined = 0
        for _ in 0..<640 where sampling.next() == nil {
            sampling.note(10)
            examined += 1
        }
        #expect(examined == 20)
    }
}
