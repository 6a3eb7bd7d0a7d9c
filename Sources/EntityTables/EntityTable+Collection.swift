// SPDX-License-Identifier: MIT

extension EntityTable: RandomAccessCollection {
    /// The position of the first row: 0.
    @inlinable
    public var startIndex: Int { 0 }

    /// The position after the last row: the number of rows.
    @inlinable
    public var endIndex: Int { tree.count }

    /// The row at a position.
    ///
    /// - Precondition: `position` is in `0..<count`.
    /// - Complexity: O(log *n*).
    @inlinable
    public subscript(position: Int) -> Element {
        precondition(indices.contains(position), "position is out of the table's bounds")
        return tree[position]
    }

    /// The position of the row with an id; nil if there is none.
    ///
    /// - Complexity: O(log *n*).
    @inlinable
    public func index(id: ID) -> Int? {
        tree.place(of: id).map(tree.position)
    }

    /// The ids of the rows, in order.
    @inlinable
    public var ids: some RandomAccessCollection<ID> { lazy.map(\.id) }

    /// Makes an iterator over the rows in order.
    ///
    /// - Complexity: O(log *n*); a walk over all rows takes O(*n*).
    @inlinable
    public func makeIterator() -> Iterator { Iterator(tree) }

    /// Iterates over the rows in order, a leaf at a time.
    public struct Iterator: IteratorProtocol {
        @usableFromInline let tree: RowTree<Element>
        @usableFromInline var position = 0
        @usableFromInline var rows: ContiguousArray<Element> = []
        @usableFromInline var slot = 0

        @inlinable
        init(_ tree: RowTree<Element>) {
            self.tree = tree
        }

        /// The next row; nil after the last one.
        @inlinable
        public mutating func next() -> Element? {
            if slot == rows.count {
                guard position < tree.count else { return nil }
                (rows, slot) = tree.rows(around: position)
                position += rows.count
            }
            slot += 1
            return rows[slot - 1]
        }
    }
}

extension EntityTable.Iterator: Sendable where Element: Sendable, Element.ID: Sendable {}
