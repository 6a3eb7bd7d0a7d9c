// SPDX-License-Identifier: MIT

extension EntityTable {
    /// The order in which the table keeps its rows; nil if they stay where they are put.
    ///
    /// It is that of their type: see ``SortedRow``.
    @inlinable
    public var order: RowOrder<Element>? {
        if case .sorted(let order) = sorting { order } else { nil }
    }

    /// Sorts the rows if they have to be; equal rows keep their order.
    ///
    /// - Complexity: O(*n*) if they are in order, else O(*n* log *n*).
    @inlinable
    mutating func sortRows() {
        guard let order, firstDisorder(in: order) != nil else { return }
        tree = RowTree(building: ContiguousArray(sorted(by: order)))
        log.cut(isEmpty: false)
    }

    /// Sorts a table that was in the order of a derivation, before it is changed otherwise.
    @inlinable
    mutating func leaveDerivation() {
        guard case .derived = sorting else { return }
        sorting = Self.declaredSorting
        sortRows()
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

    /// Where a new row goes.
    @inlinable
    func place(for row: Element) -> Int {
        if case .sorted(let order) = sorting { tree.position(for: row, in: order) } else { count }
    }

    /// Which neighbors a row equals before it changes; nil if there is no order to restore.
    @inlinable @inline(__always)
    mutating func tiesBeforeChange(of id: ID) -> Ties? {
        if case .unsorted = sorting { return nil }
        leaveDerivation()
        guard let order, let place = tree.place(of: id) else { return nil }
        return ties(of: place, order)
    }

    @inlinable
    func ties(of place: RowTree<Element>.Place, _ order: RowOrder<Element>) -> Ties {
        let row = tree.nodes[place.leaf].rows[place.slot]
        let (left, right) = tree.neighbors(of: place)
        return Ties(
            left: left.map { !order.areInOrder($0, row) } ?? false,
            right: right.map { !order.areInOrder(row, $0) } ?? false)
    }

    /// Moves a changed row to its place, unless it is there.
    ///
    /// A row that equaled a neighbor and still does has not changed in the order, so it stays among
    /// its equals. One that now equals its right neighbor has, and goes behind all equals.
    @inlinable
    mutating func restoreOrder(around id: ID, _ before: Ties) {
        guard let order, let place = tree.place(of: id) else { return }
        let row = tree.nodes[place.leaf].rows[place.slot]
        let (left, right) = tree.neighbors(of: place)
        let isAfterLeft = left.map { !order.areInOrder(row, $0) } ?? true
        let isBeforeRight = right.map { !order.areInOrder($0, row) } ?? true
        if isAfterLeft && isBeforeRight {
            let after = ties(of: place, order)
            if !after.right || before.right || before.left && after.left { return }
        }
        guard let row = tree.remove(id) else { return }
        reinsert(row, at: tree.position(for: row, in: order))
    }
}

/// Which of its neighbors a row equals in an order.
@usableFromInline
struct Ties: Sendable {
    @usableFromInline var left = false
    @usableFromInline var right = false

    @inlinable
    init(left: Bool = false, right: Bool = false) {
        self.left = left
        self.right = right
    }
}
