// SPDX-License-Identifier: MIT

/// Entries within a limit: where a new one doesn't fit, the least recently used go.
struct RecentEntries<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let cost: Int
        var use: Int
    }

    /// The largest sum of costs.
    let limit: Int
    /// The sum of costs now.
    private(set) var cost = 0
    private var entries: [Key: Entry] = [:]
    private var uses = 0

    init(limit: Int) { self.limit = limit }

    var keys: some Collection<Key> { entries.keys }

    /// A value, which counts as used now.
    mutating func use(_ key: Key) -> Value? {
        uses += 1
        entries[key]?.use = uses
        return entries[key]?.value
    }

    /// Takes in a value; one that alone is beyond the limit is the first to go.
    ///
    /// - Complexity: O(entries) when something has to go.
    /// - Returns: What had to go.
    mutating func insert(_ value: Value, for key: Key, cost: Int) -> [Key] {
        remove(key)
        guard cost <= limit else { return [key] }
        uses += 1
        entries[key] = Entry(value: value, cost: cost, use: uses)
        self.cost += cost
        guard self.cost > limit else { return [] }
        var gone: [Key] = []
        for (key, _) in entries.sorted(by: { $0.value.use < $1.value.use }) {
            if self.cost <= limit { break }
            remove(key)
            gone.append(key)
        }
        return gone
    }

    mutating func remove(_ key: Key) {
        cost -= entries.removeValue(forKey: key)?.cost ?? 0
    }
}
