// SPDX-License-Identifier: MIT

internal import OnwardCore

/// How many effects each entry has: a list in the order of the entries.
///
/// Most effects belong to the newest entry, and a search among the others takes a few steps. A dictionary
/// would hash the version of each effect twice.
struct EntryCounts {
    private var entries: [(version: CommitVersion, count: Int)] = []
    /// How many of them are empty; these go when they are more than the others.
    private var emptyCount = 0

    /// Whether an entry has any.
    func contains(_ version: CommitVersion) -> Bool {
        let index = index(of: version)
        return index < entries.count && entries[index].version == version
            && entries[index].count > 0
    }

    /// - Complexity: O(1) for the newest entry; O(entries) where an older one has none yet.
    mutating func add(_ version: CommitVersion) {
        guard let last = entries.last, version <= last.version else {
            return entries.append((version, 1))
        }
        let index = index(of: version)
        guard entries[index].version == version else {
            return entries.insert((version, 1), at: index)
        }
        if entries[index].count == 0 { emptyCount -= 1 }
        entries[index].count += 1
    }

    /// - Complexity: O(log entries), amortised.
    mutating func remove(_ version: CommitVersion) {
        let index = index(of: version)
        guard index < entries.count, entries[index].version == version, entries[index].count > 0
        else { return }
        entries[index].count -= 1
        guard entries[index].count == 0 else { return }
        emptyCount += 1
        guard emptyCount * 2 > entries.count else { return }
        entries.removeAll { $0.count == 0 }
        emptyCount = 0
    }

    /// Where an entry stands, or belongs.
    private func index(of version: CommitVersion) -> Int {
        guard let last = entries.last, version <= last.version else { return entries.count }
        if version == last.version { return entries.count - 1 }
        var (low, high) = (0, entries.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].version < version { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
