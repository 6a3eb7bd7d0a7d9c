// SPDX-License-Identifier: MIT
#if Server

import DequeModule

/// The visitors: for each, its value, when it was last seen, and its open streams.
///
/// Also those that were given a cookie and haven't come back with it: nothing belongs to them yet.
struct VisitorTable<Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let address: ClientAddress
        let began: Duration
        var seen: Duration
        var streams = 0
        var hasActed = false
    }

    /// The largest number of visitors.
    let limit: Int
    /// How long a visitor without open streams is remembered.
    let idle: Duration
    /// A visitor that acted and wasn't seen again for this long may not have been a real one.
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

    /// The value of a visitor, who counts as seen at `now`.
    mutating func visit(_ visitor: VisitorID, at now: Duration) -> Value? {
        entries[visitor]?.seen = now
        return entries[visitor]?.value
    }

    /// Gives a new visitor a cookie.
    mutating func expect(_ visitor: VisitorID) {
        guard expected.insert(visitor).inserted else { return }
        order.append(visitor)
        // Those who came back are still in the order.
        if order.count > 2 * Self.expectedLimit { order.removeAll { !expected.contains($0) } }
        while expected.count > Self.expectedLimit { expected.remove(order.removeFirst()) }
    }

    /// Whether a visitor was given a cookie and hasn't come back with it.
    func isExpected(_ visitor: VisitorID) -> Bool { expected.contains(visitor) }

    /// Remembers a visitor that came from an address.
    mutating func admit(
        _ value: Value, as visitor: VisitorID, from address: ClientAddress, at now: Duration
    ) {
        entries[visitor] = Entry(value: value, address: address, began: now, seen: now)
        expected.remove(visitor)
    }

    /// Notes that a visitor did something that is worth keeping.
    mutating func act(_ visitor: VisitorID) { entries[visitor]?.hasActed = true }

    /// Counts a stream that opens (1) or ends (-1).
    mutating func countStream(_ change: Int, of visitor: VisitorID, at now: Duration) {
        entries[visitor]?.streams += change
        entries[visitor]?.seen = now
    }

    /// The open streams of a visitor.
    func streams(of visitor: VisitorID) -> Int { entries[visitor]?.streams ?? 0 }

    /// Whether one more fits in besides `others`, possibly in the place of a visitor that makes
    /// room.
    func hasRoom(besides others: Int, for address: ClientAddress, at now: Duration) -> Bool {
        entries.count + others < limit || nextToLeave(for: address, at: now) != nil
    }

    /// Makes room for one more: among the visitors that never did anything, were never seen again
    /// after they did, or came with many others, the one seen longest ago leaves.
    ///
    /// A visitor that never did anything is just as well off with another store.
    ///
    /// - Complexity: O(visitors) when there are too many.
    /// - Returns: The value of the one that left; nil if there is no room.
    mutating func makeRoom(for address: ClientAddress, at now: Duration) -> [Value]? {
        if entries.count < limit { return [] }
        guard let (visitor, rank) = nextToLeave(for: address, at: now) else { return nil }
        if rank == .idle { expect(visitor) }
        return entries.removeValue(forKey: visitor).map { [$0.value] }
    }

    /// Forgets the visitors that were idle for too long.
    ///
    /// - Complexity: O(visitors).
    /// - Returns: What belonged to them.
    mutating func removeIdle(at now: Duration) -> [Value] {
        let gone = entries.filter { $0.value.streams == 0 && now - $0.value.seen >= idle }
        for visitor in gone.keys { entries[visitor] = nil }
        return gone.values.map(\.value)
    }

    /// Why a visitor may have to make room for another; the first reason has priority.
    private enum Rank: Comparable {
        /// Never did anything.
        case idle
        /// Did something at once and was never seen again.
        case doubtful
        /// Came from an address that has more than half of all stores.
        case overflow
        /// The same, with a page open.
        case overflowInSight
    }

    /// The visitor that makes room for one from an address; nil if none does.
    ///
    /// An address that has more than half of all stores takes none from the others, and gives up
    /// its own for them first, even one whose page is open: otherwise it could shut them out by
    /// keeping pages open.
    private func nextToLeave(
        for address: ClientAddress, at now: Duration
    ) -> (visitor: VisitorID, rank: Rank)? {
        var counts: [ClientAddress: Int] = [:]
        for entry in entries.values { counts[entry.address, default: 0] += 1 }
        guard let majority = counts.first(where: { $0.value > limit / 2 })?.key else {
            return first(at: now) { _ in true }
        }
        let isOther = majority != address
        let ofMajority = first(at: now, majorityLeaves: isOther) { $0.address == majority }
        return ofMajority ?? (isOther ? first(at: now) { _ in true } : nil)
    }

    private func first(
        at now: Duration, majorityLeaves: Bool = false, where mayLeave: (Entry) -> Bool
    ) -> (visitor: VisitorID, rank: Rank)? {
        let candidates = entries.filter { mayLeave($0.value) }.compactMap {
            visitor, entry -> (visitor: VisitorID, rank: Rank, order: Duration)? in
            if let rank = rank(entry, at: now) { return (visitor, rank, entry.seen) }
            guard majorityLeaves else { return nil }
            // Among those with open pages, the one that came last leaves first.
            return entry.streams == 0
                ? (visitor, .overflow, entry.seen)
                : (visitor, .overflowInSight, .zero - entry.began)
        }
        return candidates.min { ($0.rank, $0.order) < ($1.rank, $1.order) }.map {
            ($0.visitor, $0.rank)
        }
    }

    private func rank(_ entry: Entry, at now: Duration) -> Rank? {
        guard entry.streams == 0 else { return nil }
        if !entry.hasActed { return .idle }
        let isDoubtful = entry.seen - entry.began < Self.doubt && now - entry.seen >= Self.doubt
        return isDoubtful ? .doubtful : nil
    }
}
#endif
