// SPDX-License-Identifier: MIT
#if Server

import Hummingbird
import NIOCore
import Onward

/// Everything that waits for slow readers, events and documents together; readers of the same bytes
/// share them.
///
/// If it exceeds the limit, readers are cut off until it doesn't, the one that has waited longest
/// first. A browser opens its stream again and reports what it has, so it misses nothing.
final class Backlog: Sendable {
    private let table: Guarded<BacklogTable>

    /// Creates a backlog with a limit in bytes.
    init(limit: Int) { table = Guarded(BacklogTable(limit: limit)) }

    /// Events up to this size, in bytes, wait in the connection's own buffer.
    private static let small = 16 * 1_024

    /// Writes bytes, which count as waiting until the connection has taken them.
    ///
    /// A connection accepts the first bytes in any case, however many they are, and the next ones
    /// once it has sent those. So the last byte is written separately.
    func write(
        _ event: ByteBuffer, to writer: inout any ResponseBodyWriter,
        cut: @escaping @Sendable () -> Void
    ) async throws {
        guard event.readableBytes > Self.small else { return try await writer.write(event) }
        let wait = begin(event, cut: cut)
        defer { end(wait) }
        var rest = event
        guard let most = rest.readSlice(length: event.readableBytes - 1) else { return }
        try await writer.write(most)
        try await writer.write(rest)
    }

    /// Notes that an event is being sent to a reader, until ``end(_:)``.
    ///
    /// - Parameters:
    ///   - event: The bytes; the same storage counts as the same event.
    ///   - cut: Cuts the reader off; called at most once, from any thread.
    /// - Returns: An id for the reader's wait.
    func begin(_ event: ByteBuffer, cut: @escaping @Sendable () -> Void) -> Int {
        let storage = event.withUnsafeReadableBytes { Int(bitPattern: $0.baseAddress) }
        return begin(storage: storage, size: event.readableBytes, cut: cut)
    }

    /// Notes that a reader is being sent a document, likewise; one object is one document.
    func begin(_ document: AnyObject, size: Int, cut: @escaping @Sendable () -> Void) -> Int {
        begin(storage: Int(bitPattern: ObjectIdentifier(document)), size: size, cut: cut)
    }

    private func begin(storage: Int, size: Int, cut: @escaping @Sendable () -> Void) -> Int {
        let (wait, cuts) = table.withValue { $0.begin(storage: storage, size: size, cut: cut) }
        for cut in cuts { cut() }
        return wait
    }

    /// Notes that a reader has received it, or is gone.
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
    /// How many bytes are waiting.
    private(set) var size = 0
    private var waits: [Int: Wait] = [:]
    /// The size of each event that readers wait for, and the number of these readers.
    private var events: [Int: (size: Int, readers: Int)] = [:]
    private var last = 0
    /// All waits before this one have ended or were cut off.
    private var oldest = 1

    init(limit: Int) { self.limit = limit }

    /// Adds a wait.
    ///
    /// - Complexity: O(1) amortised.
    /// - Returns: Its id, and closures that cut off those who have to go.
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

    /// What the newest readers wait for is kept, however large it is.
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
