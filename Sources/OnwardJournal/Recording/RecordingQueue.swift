// SPDX-License-Identifier: MIT

internal import DequeModule
internal import Onward

/// The commits that wait to be written, oldest first.
///
/// They lie in batches, as the writer takes them. So it takes one without touching what is in it, as long as threads that
/// dispatch wait for the lock, and what is written is released by the writer.
struct RecordingQueue: Sendable {
    typealias Item = RecordingMachine.Item

    private static let batchLimit = 256
    /// As many as go into a batch, each.
    private var batches: Deque<[Item]> = []
    /// The newest ones, fewer than that.
    private var open: [Item] = []
    /// Memory for the next ones.
    private var spare: [Item] = []

    var count: Int { batches.count * Self.batchLimit + open.count }
    var isEmpty: Bool { open.isEmpty && batches.isEmpty }

    mutating func append(_ item: Item) {
        open.append(item)
        guard open.count == Self.batchLimit else { return }
        batches.append(open)
        open = spare
        spare = []
        // Where so many have come, more come.
        open.reserveCapacity(Self.batchLimit)
    }

    /// Takes the oldest ones, and the memory of those before for others.
    ///
    /// - Returns: Whether there are any; where not, no memory is kept.
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

    /// Takes all up to a version.
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
