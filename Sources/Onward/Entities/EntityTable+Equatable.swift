// SPDX-License-Identifier: MIT

extension EntityTable: Equatable where Element: Equatable {
    /// Whether both tables have equal rows in the same order.
    ///
    /// How they are kept in order, and what the tables remember of their changes, does not count.
    ///
    /// - Complexity: O(*d* log *n*) where the tables differ in *d* rows; O(1) for copies that were
    ///   not changed.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        guard left.count == right.count else { return false }
        guard left.mark != right.mark else { return true }
        let (ours, others) = left.tree.looseRows(comparedWith: right.tree)
        return ours.elementsEqual(others) { $0.gap == $1.gap && $0.row == $1.row }
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
