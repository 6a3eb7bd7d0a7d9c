// SPDX-License-Identifier: MIT

/// The order in which an ``EntityTable`` keeps its rows.
///
/// ```swift
/// EntityTable<Card>(sortedBy: RowOrder(\.title))
/// EntityTable<Card>(sortedBy: RowOrder { ($0.rank, $0.title) < ($1.rank, $1.title) })
/// ```
public struct RowOrder<Row>: Sendable {
    /// Whether the first row must come before the second.
    @usableFromInline package let areInOrder: @Sendable (_ first: Row, _ second: Row) -> Bool

    /// Makes an order from a comparison.
    ///
    /// - Parameter areInOrder: Whether the first row must come before the second; a strict weak
    ///   order, as `sort(by:)` requires, that depends only on the two rows. It runs wherever a
    ///   table is changed.
    @inlinable
    public init(_ areInOrder: @escaping @Sendable (_ first: Row, _ second: Row) -> Bool) {
        self.areInOrder = areInOrder
    }

    /// Makes an order from the value the rows are sorted by, the smallest first.
    ///
    /// Reading a key path takes longer than calling a closure that compares.
    @inlinable
    public init<Value: Comparable & SendableMetatype>(_ path: any KeyPath<Row, Value> & Sendable) {
        self.init { $0[keyPath: path] < $1[keyPath: path] }
    }
}
