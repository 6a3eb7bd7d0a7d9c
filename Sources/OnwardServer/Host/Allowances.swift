// SPDX-License-Identifier: MIT
#if Server

/// How often a client may do something: a number of times at once, and then a number per
/// second.
struct Allowances<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        var left: Double
        var seen: Duration
    }

    /// The number allowed at once, and how many are restored each second.
    let burst, perSecond: Int
    /// Beyond this number, clients with a full allowance are forgotten.
    private static var tidyLimit: Int { 1_024 }
    private var entries: [Key: Entry] = [:]

    init(burst: Int, perSecond: Int) {
        self.burst = burst
        self.perSecond = perSecond
    }

    /// Whether a client may do it; if so, its allowance drops by one.
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
