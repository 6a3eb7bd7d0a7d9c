// SPDX-License-Identifier: MIT

extension ChangeLog {
    /// Calls `body` once with each id that was recorded since a mark, in the order of the first records;
    /// false, and nothing done, where the log does not know.
    @inlinable
    func forEachTouched(since mark: EntityMark, _ body: (ID) -> Void) -> Bool {
        guard let recorded = changes(since: mark) else { return false }
        guard let first = recorded.first else { return true }
        body(first.id)
        // What most commits come down to.
        if recorded.allSatisfy({ $0.id == first.id }) { return true }
        var seen: Set = [first.id]
        for change in recorded where seen.insert(change.id).inserted { body(change.id) }
        return true
    }
}
