// SPDX-License-Identifier: MIT
#if Server

/// Who visits: for each cookie what belongs to it, when it was last seen, and its open streams.
struct VisitorTable<Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        var seen: Duration
        var streams = 0
    }

    /// The largest number of visitors.
    let limit: Int
    /// How long a visitor without open streams is remembered.
    let idle: Duration
    private var entries: [String: Entry] = [:]

    init(limit: Int, idle: Duration) {
        self.limit = limit
        self.idle = idle
    }

    /// What belongs to all visitors.
    var values: [Value] { entries.values.map(\.value) }
    /// Whether nobody else fits in.
    var isFull: Bool { entries.count >= limit }

    /// What belongs to a cookie that was given out; it counts as seen at `now`.
    mutating func visit(_ cookie: String, at now: Duration) -> Value? {
        entries[cookie]?.seen = now
        return entries[cookie]?.value
    }

    /// Remembers a new visitor.
    mutating func admit(_ value: Value, as cookie: String, at now: Duration) {
        entries[cookie] = Entry(value: value, seen: now)
    }

    /// Counts a stream that opens (1) or ends (-1).
    mutating func countStream(_ change: Int, of cookie: String, at now: Duration) {
        entries[cookie]?.streams += change
        entries[cookie]?.seen = now
    }

    /// Forgets who was idle for too long.
    ///
    /// - Complexity: O(visitors).
    /// - Returns: What belonged to them.
    mutating func removeIdle(at now: Duration) -> [Value] {
        let gone = entries.filter { $0.value.streams == 0 && now - $0.value.seen >= idle }
        for cookie in gone.keys { entries[cookie] = nil }
        return gone.values.map(\.value)
    }
}
#endif
