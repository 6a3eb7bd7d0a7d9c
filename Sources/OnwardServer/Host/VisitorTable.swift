// SPDX-License-Identifier: MIT
#if Server

import DequeModule

/// Who visits: for each visitor what belongs to it, when it was last seen, and its open streams.
///
/// Besides, those who were given a cookie and haven't come back with it: nothing belongs to them yet.
struct VisitorTable<Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let began: Duration
        var seen: Duration
        var streams = 0
        var hasActed = false
    }

    /// The largest number of visitors.
    let limit: Int
    /// How long a visitor without open streams is remembered.
    let idle: Duration
    /// Who acted and wasn't seen again for so long may have been no visitor at all.
    static var doubt: Duration { .seconds(60) }
    /// The largest number of cookies that haven't come back; the oldest are forgotten first.
    static var expectedLimit: Int { 16_384 }

    private var entries: [VisitorID: Entry] = [:]
    private var expected: Set<VisitorID> = []
    private var order: Deque<VisitorID> = []

    init(limit: Int, idle: Duration) {
        self.limit = limit
        self.idle = idle
    }

    /// What belongs to all visitors.
    var values: [Value] { entries.values.map(\.value) }
    var count: Int { entries.count }

    /// What belongs to a visitor, which counts as seen at `now`.
    mutating func visit(_ visitor: VisitorID, at now: Duration) -> Value? {
        entries[visitor]?.seen = now
        return entries[visitor]?.value
    }

    /// Gives somebody new a cookie.
    mutating func expect(_ visitor: VisitorID) {
        guard expected.insert(visitor).inserted else { return }
        order.append(visitor)
        // Those who came back are still in the order.
        if order.count > 2 * Self.expectedLimit { order.removeAll { !expected.contains($0) } }
        while expected.count > Self.expectedLimit { expected.remove(order.removeFirst()) }
    }

    /// Whether a visitor was given a cookie and hasn't come back with it.
    func isExpected(_ visitor: VisitorID) -> Bool { expected.contains(visitor) }

    /// Remembers a visitor.
    mutating func admit(_ value: Value, as visitor: VisitorID, at now: Duration) {
        entries[visitor] = Entry(value: value, began: now, seen: now)
        expected.remove(visitor)
    }

    /// Notes that a visitor has done something, which is worth keeping.
    mutating func act(_ visitor: VisitorID) { entries[visitor]?.hasActed = true }

    /// Counts a stream that opens (1) or ends (-1).
    mutating func countStream(_ change: Int, of visitor: VisitorID, at now: Duration) {
        entries[visitor]?.streams += change
        entries[visitor]?.seen = now
    }

    /// The open streams of a visitor.
    func streams(of visitor: VisitorID) -> Int { entries[visitor]?.streams ?? 0 }

    /// Whether one more fits in besides `others`, maybe in the place of somebody who leaves for it.
    func hasRoom(besides others: Int, at now: Duration) -> Bool {
        entries.count + others < limit
            || entries.values.contains { rank($0, at: now) != nil }
    }

    /// Makes room for one more: of those who never did anything, or were never seen again after they did,
    /// the one seen longest ago leaves.
    ///
    /// Who never did anything is expected again: another store will be as good.
    ///
    /// - Complexity: O(visitors) when there are too many.
    /// - Returns: What belonged to who left; nil if there is no room.
    mutating func makeRoom(besides others: Int, at now: Duration) -> [Value]? {
        if entries.count + others < limit { return [] }
        let candidates = entries.compactMap { visitor, entry in
            rank(entry, at: now).map { (visitor: visitor, rank: $0, seen: entry.seen) }
        }
        guard let first = candidates.min(by: { ($0.rank, $0.seen) < ($1.rank, $1.seen) }) else {
            return nil
        }
        if first.rank == 0 { expect(first.visitor) }
        return entries.removeValue(forKey: first.visitor).map { [$0.value] }
    }

    /// Forgets who was idle for too long.
    ///
    /// - Complexity: O(visitors).
    /// - Returns: What belonged to them.
    mutating func removeIdle(at now: Duration) -> [Value] {
        let gone = entries.filter { $0.value.streams == 0 && now - $0.value.seen >= idle }
        for visitor in gone.keys { entries[visitor] = nil }
        return gone.values.map(\.value)
    }

    /// Who leaves first; nil for who stays.
    private func rank(_ entry: Entry, at now: Duration) -> Int? {
        guard entry.streams == 0 else { return nil }
        if !entry.hasActed { return 0 }
        let isDoubtful = entry.seen - entry.began < Self.doubt && now - entry.seen >= Self.doubt
        return isDoubtful ? 1 : nil
    }
}
#endif
