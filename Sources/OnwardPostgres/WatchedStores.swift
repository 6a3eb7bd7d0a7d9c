// SPDX-License-Identifier: MIT
#if All

internal import Onward

/// Who waits for entries of which store: a pure machine.
struct WatchedStores {
    typealias Watcher = @Sendable (CommitVersion) -> Void

    private var watchers: [Int64: [UInt64: Watcher]] = [:]
    private var lastID: UInt64 = 0
    private var isPolling = false

    /// Adds a watcher; `begins` where nobody polls yet.
    mutating func add(_ watcher: @escaping Watcher, of store: Int64) -> (id: UInt64, begins: Bool) {
        lastID += 1
        watchers[store, default: [:]][lastID] = watcher
        defer { isPolling = true }
        return (lastID, !isPolling)
    }

    mutating func remove(_ id: UInt64, of store: Int64) {
        watchers[store]?[id] = nil
        if watchers[store]?.isEmpty == true { watchers[store] = nil }
    }

    /// All stores that are watched; nil, and the polling ends, where there are none.
    mutating func poll() -> [Int64]? {
        guard !watchers.isEmpty else {
            isPolling = false
            return nil
        }
        return watchers.keys.sorted()
    }

    /// Those of some stores that are watched.
    func watched(of stores: [Int64]) -> [Int64] { stores.filter { watchers[$0] != nil } }

    /// Who watches a store.
    func watchers(of store: Int64) -> [Watcher] { watchers[store].map { Array($0.values) } ?? [] }
}
#endif
