// SPDX-License-Identifier: MIT

internal import DequeModule
internal import Onward

/// The commits that wait to be written, oldest first.
///
/// They are stored in batches, as the writer takes them. So the writer takes a batch without
/// touching its contents while dispatching threads wait for the lock, and the writer releases what
/// is written.
struct RecordingQueue: Sendable {
    typealias Item = RecordingMachine.Item

    private static let batchLimit = 256
    /// Full batches.
    private var batches: Deque<[Item]> = []
    /// The newest commits, fewer than a batch.
    private var open: [Item] = []
    /// Spare memory for the next batch.
    private var spare: [Item] = []

    var count: Int { batches.count * Self.batchLimit + open.count }
    var isEmpty: Bool { open.isEmpty && batches.isEmpty }

    mutating func append(_ item: Item) {
        open.append(item)
        guard open.count == Self.batchLimit else { return }
        batches.append(open)
        open = spare
        spare = []
        // If this many have come, more will.
        open.reserveCapacity(Self.batchLimit)
    }

    /// Takes the oldest batch, and keeps the memory of the previous one for others.
    ///
    /// - Returns: Whether there is one; if not, no memory is kept.
    mutating func takeBatch(_ batch: inout [Item]) -> Bool {
        if let first = batches.popFirst() {
            spare = batch
            batch = first
        } else if !open.isEmpty {
            swap(&batch, &open)
        } else {
            self = RecordingQueue()
        }
        return !batch.isEmpty
    }

    /// Takes all commits up to a version.
    ///
    /// - Complexity: O(items).
    mutating func takeAll(upTo version: Version) -> [Item] {
        let all = batches.joined() + open
        self = RecordingQueue()
        let end = all.firstIndex { $0.entry.version > version } ?? all.endIndex
        for item in all[end...] { append(item) }
        return Array(all[..<end])
    }
}
