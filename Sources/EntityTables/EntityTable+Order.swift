// SPDX-License-Identifier: MIT

extension EntityTable {
    /// How the table keeps its rows sorted; nil if they stay where they are put.
    ///
    /// Setting an order sorts the rows. Setting nil leaves them as they are.
    ///
    /// - Complexity: Setting is O(*n* log *n*).
    @inlinable
    public var order: RowOrder<Element>? {
        get { sorting }
        set {
            sorting = newValue
            guard let newValue, firstDisorder(in: newValue) != nil else { return }
            tree = RowTree(building: ContiguousArray(sorted(by: newValue.areInOrder)))
            log.cut(isEmpty: false)
        }
    }

    /// The first position whose row should come before the one on its left.
    @inlinable
    func firstDisorder(in order: RowOrder<Element>) -> Int? {
        var previous: Element?
        for (position, row) in enumerated() {
            if let previous, order.areInOrder(row, previous) { return position }
            previous = row
        }
        return nil
    }

    /// Moves a changed row to its place, unless it is already in order between its neighbours.
    @inlinable
    mutating func restoreOrder(around id: ID, _ order: RowOrder<Element>) {
        guard let place = tree.place(of: id) else { return }
        guard !tree.isInOrder(place, order), let row = tree.remove(id) else { return }
        reinsert(row, at: tree.position(for: row, in: order))
    }
}
