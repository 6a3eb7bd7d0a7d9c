// SPDX-License-Identifier: MIT

extension EntityTable: Equatable where Element: Equatable {
    /// Whether both tables have equal rows in the same order.
    ///
    /// A row that was changed and has the same bytes as before is equal, even if it doesn't equal
    /// itself because of a NaN. What the tables remember about their changes is not compared.
    ///
    /// - Complexity: O(*d* log *n*) if the tables differ in *d* rows, or one came from the other by
    ///   *d* changes; O(1) for unchanged copies.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        guard left.count == right.count else { return false }
        guard left.mark != right.mark else { return true }
        // Where one came from the other, only the changes need to be looked at.
        let isLeftNewer = left.log.revision > right.log.revision
        let (older, newer) = isLeftNewer ? (right, left) : (left, right)
        if let changes = newer.loggedChanges(since: older.mark) {
            return changes.leave(older, equalTo: newer)
        }
        let (ours, others) = left.tree.looseRows(comparedWith: right.tree)
        return ours.elementsEqual(others) { $0.gap == $1.gap && isUnchanged($0.row, $1.row) }
    }
}

extension EntityChanges {
    /// Whether the two tables that the changes lead from and to are equal after all.
    @inlinable
    func leave<Row: Equatable>(
        _ older: EntityTable<Row>, equalTo newer: EntityTable<Row>
    ) -> Bool where Row.ID == ID {
        // All other rows are the same, and in the same order among themselves.
        inserted.isEmpty && removed.isEmpty
            && updated.allSatisfy { isUnchanged(older[id: $0], newer[id: $0]) }
            && moved.allSatisfy { older.index(id: $0) == newer.index(id: $0) }
    }
}

extension EntityTable: Hashable where Element: Hashable {
    /// Hashes the rows in order.
    ///
    /// - Complexity: O(*n*).
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for row in self { hasher.combine(row) }
    }
}
