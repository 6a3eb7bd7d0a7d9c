// SPDX-License-Identifier: MIT
#if Server

/// How often a client may do something: so many times at once, and so many per second after
/// that.
struct Allowances<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        var left: Double
        var seen: Duration
    }

    /// How many at once, and how many come back each second.
    let burst, perSecond: Int
    /// Beyond this number, clients that have their full allowance again are forgotten.
    private static var tidyLimit: Int { 1_024 }
    private var entries: [Key: Entry] = [:]

    init(burst: Int, perSecond: Int) {
        self.burst = burst
        self.perSecond = perSecond
    }

    /// Whether a client may do it; it then has one fewer.
    mutating func take(_ key: Key, at now: Duration) -> Bool {
        if entries.count > Self.tidyLimit {
            entries = entries.filter { refilled($0.value, at: now) < Double(burst) }
        }
        let left = entries[key].map { refilled($0, at: now) } ?? Double(burst)
        entries[key] = Entry(left: left < 1 ? left : left - 1, seen: now)
        return left >= 1
    }

    private func refilled(_ entry: Entry, at now: Duration) -> Double {
        min(Double(burst), entry.left + (now - entry.seen) / .seconds(1) * Double(perSecond))
    }
}
#endif
