// SPDX-License-Identifier: MIT

extension ChangeLog {
    /// Calls `body` once with each id recorded since a mark, in the order of the first records;
    /// does nothing and returns false if the log does not know.
    @inlinable
    func forEachTouched(since mark: EntityMark, _ body: (ID) -> Void) -> Bool {
        changes(since: mark).map { Self.forEachID(in: $0, body) } != nil
    }

    /// The same for the changes on the way from another state to this one.
    @inlinable
    func forEachTouched(since other: Self, _ body: (ID) -> Void) -> Bool {
        changes(from: other).map { Self.forEachID(in: $0, body) } != nil
    }

    @inlinable
    static func forEachID(in recorded: ArraySlice<RecordedChange<ID>>, _ body: (ID) -> Void) {
        guard let first = recorded.first else { return }
        body(first.id)
        // The case of most commits.
        if recorded.allSatisfy({ $0.id == first.id }) { return }
        var seen: Set = [first.id]
        for change in recorded where seen.insert(change.id).inserted { body(change.id) }
    }
}
