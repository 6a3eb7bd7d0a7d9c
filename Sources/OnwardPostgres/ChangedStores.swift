// SPDX-License-Identifier: MIT
#if All

/// Stores that have changed, handed on together while the handing on takes its time: a pure machine.
///
/// There are never more of them than there are stores.
struct ChangedStores {
    private var changed: Set<Int64> = []
    private var isHandingOn = false

    /// Adds stores; true where somebody has to begin to hand them on.
    mutating func add(_ stores: some Sequence<Int64>) -> Bool {
        changed.formUnion(stores)
        guard !isHandingOn, !changed.isEmpty else { return false }
        isHandingOn = true
        return true
    }

    /// What has changed since the last call; nil, and the handing on ends, where nothing has.
    mutating func next() -> [Int64]? {
        guard !changed.isEmpty else {
            isHandingOn = false
            return nil
        }
        defer { changed = [] }
        return changed.sorted()
    }
}
#endif
