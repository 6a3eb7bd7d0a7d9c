// SPDX-License-Identifier: MIT

internal import DequeModule
internal import Onward

/// The commits that wait to be written, oldest first, and how much memory they take.
///
/// They are stored in batches, as the writer takes them. So the writer takes a batch without
/// touching its contents while dispatching threads wait for the lock, and the writer releases what
/// is written.
struct RecordingQueue: Sendable {
    typealias Item = RecordingMachine.Item

    /// Commits that are written together.
    private struct Batch {
        var items: [Item] = []
        var bytes = 0
    }

    private static let batchLimit = 256
    private static let batchBytes = 4 << 20
    /// What a commit takes besides its action.
    private static let itemBytes = MemoryLayout<Item>.stride

    /// How many bytes may wait.
    private let limit: Int
    /// Full batches.
    private var batches: Deque<Batch> = []
    /// The newest commits, fewer than a batch.
    private var open = Batch()
    /// Spare memory for the next batch.
    private var spare: [Item] = []
    private(set) var count = 0
    /// About how much memory they take.
    private(set) var bytes = 0

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { count == 0 }

    /// Whether a commit may wait as well; one always may.
    func hasRoom(for item: Item) -> Bool {
        isEmpty || bytes + Self.itemBytes + item.bytes <= limit
    }

    mutating func append(_ item: Item) {
        let size = Self.itemBytes + item.bytes
        open.items.append(item)
        open.bytes += size
        bytes += size
        count += 1
        guard open.items.count == Self.batchLimit || open.bytes >= Self.batchBytes else { return }
        batches.append(open)
        open = Batch(items: spare)
        spare = []
        // If this many have come, more will.
        open.items.reserveCapacity(Self.batchLimit)
    }

    /// Takes the oldest batch, and keeps the memory of the previous one for others.
    ///
    /// - Returns: Whether there is one; if not, no memory is kept.
    mutating func takeBatch(_ batch: inout [Item]) -> Bool {
        if let first = batches.popFirst() {
            spare = batch
            batch = first.items
            bytes -= first.bytes
        } else if !open.items.isEmpty {
            swap(&batch, &open.items)
            bytes -= open.bytes
            open.bytes = 0
        } else {
            self = RecordingQueue(limit: limit)
        }
        count -= batch.count
        return !batch.isEmpty
    }

    /// Takes all commits up to a version.
    ///
    /// - Complexity: O(items).
    mutating func takeAll(upTo version: CommitVersion) -> [Item] {
        let all = batches.flatMap(\.items) + open.items
        self = RecordingQueue(limit: limit)
        let end = all.firstIndex { $0.entry.version > version } ?? all.endIndex
        for item in all[end...] { append(item) }
        return Array(all[..<end])
    }
}
