// SPDX-License-Identifier: MIT

/// An order of rows: that of a ``SortedRow``, or one to look at them in.
///
/// ```swift
/// cards.sorted(by: RowOrder(\.date))                                // an array
/// cards.sorted(by: RowOrder { ($0.rank, $0.title) < ($1.rank, $1.title) })
/// StateSelector<Game, EntityTable<Card>>(\.cards).sorted(by: RowOrder(\.date))    // follows the table
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
    /// A value that doesn't equal itself, such as `Double.nan`, comes last. Reading a key path
    /// takes longer than calling a closure that compares.
    @inlinable
    public init<Value: Comparable & SendableMetatype>(_ path: any KeyPath<Row, Value> & Sendable) {
        self.init {
            let (first, second) = ($0[keyPath: path], $1[keyPath: path])
            if first < second { return true }
            // All that don't equal themselves are equal here, so that this is an order.
            return second != second && first == first
        }
    }
}

extension Sequence {
    /// The elements in an order; equal ones keep theirs.
    ///
    /// - Complexity: O(*n* log *n*).
    @inlinable
    public func sorted(by order: RowOrder<Element>) -> [Element] {
        // The library's sort is stable.
        sorted(by: order.areInOrder)
    }
}
