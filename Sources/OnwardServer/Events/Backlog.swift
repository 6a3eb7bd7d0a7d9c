// SPDX-License-Identifier: MIT
#if Server

import NIOCore
import Onward

/// What waits to be taken by slow readers, events and documents, all of them together; readers of the same bytes
/// share them.
///
/// Where it is more than the limit, readers are cut off until it isn't, the one that has waited longest
/// first. A browser opens its stream again and says what it has, so it misses nothing.
final class Backlog: Sendable {
    private let table: Guarded<BacklogTable>

    /// A backlog of so many bytes.
    init(limit: Int) { table = Guarded(BacklogTable(limit: limit)) }

    /// Notes that a reader is being sent an event, until ``end(_:)``.
    ///
    /// - Parameters:
    ///   - event: The bytes; the same storage is the same event.
    ///   - cut: Cuts the reader off; called at most once, from any thread.
    /// - Returns: Names the reader's wait.
    func begin(_ event: ByteBuffer, cut: @escaping @Sendable () -> Void) -> Int {
        let storage = event.withUnsafeReadableBytes { Int(bitPattern: $0.baseAddress) }
        return begin(storage: storage, size: event.readableBytes, cut: cut)
    }

    /// Notes that a reader is being sent a document, likewise; the same object is the same document.
    func begin(_ document: AnyObject, size: Int, cut: @escaping @Sendable () -> Void) -> Int {
        begin(storage: Int(bitPattern: ObjectIdentifier(document)), size: size, cut: cut)
    }

    private func begin(storage: Int, size: Int, cut: @escaping @Sendable () -> Void) -> Int {
        let (wait, cuts) = table.withValue { $0.begin(storage: storage, size: size, cut: cut) }
        for cut in cuts { cut() }
        return wait
    }

    /// Notes that a reader has taken it, or is gone.
    func end(_ wait: Int) { table.withValue { $0.end(wait) } }
}

/// The decisions of a ``Backlog``.
struct BacklogTable {
    private struct Wait {
        let storage: Int
        let cut: @Sendable () -> Void
        var isCut = false
    }

    /// How many bytes may wait.
    let limit: Int
    /// How many wait.
    private(set) var size = 0
    private var waits: [Int: Wait] = [:]
    /// The size of each event that somebody waits for, and how many do.
    private var events: [Int: (size: Int, readers: Int)] = [:]
    private var last = 0
    /// The waits before this one have ended or are cut.
    private var oldest = 1

    init(limit: Int) { self.limit = limit }

    /// Adds a wait.
    ///
    /// - Complexity: O(1) amortised.
    /// - Returns: Its name, and how to cut off those that have to go.
    mutating func begin(
        storage: Int, size: Int, cut: @escaping @Sendable () -> Void
    ) -> (wait: Int, cuts: [@Sendable () -> Void]) {
        last += 1
        waits[last] = Wait(storage: storage, cut: cut)
        let known = events[storage]
        events[storage] = (size, (known?.readers ?? 0) + 1)
        if known == nil { self.size += size }
        return (last, relieve())
    }

    /// Removes a wait.
    mutating func end(_ wait: Int) {
        guard let wait = waits.removeValue(forKey: wait), !wait.isCut else { return }
        release(wait.storage)
    }

    /// What the newest readers wait for stays, however large it is.
    private mutating func relieve() -> [@Sendable () -> Void] {
        var cuts: [@Sendable () -> Void] = []
        while size > limit, events.count > 1, oldest < last {
            if let wait = waits[oldest], !wait.isCut {
                waits[oldest]?.isCut = true
                release(wait.storage)
                cuts.append(wait.cut)
            }
            oldest += 1
        }
        return cuts
    }

    private mutating func release(_ storage: Int) {
        guard let event = events[storage] else { return }
        if event.readers > 1 {
            events[storage] = (event.size, event.readers - 1)
        } else {
            events[storage] = nil
            size -= event.size
        }
    }
}
#endif
