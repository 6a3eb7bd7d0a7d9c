// SPDX-License-Identifier: MIT

// MARK: - Many rows at once

extension EntityTable {
    /// Makes a table of rows whose ids may not be unique, such as data from outside.
    ///
    /// - Parameter rows: The rows; those of a ``SortedRow`` in any order.
    /// - Throws: An ``EntityTableError`` that names the first id that occurs twice.
    /// - Complexity: O(*n*); O(*n* log *n*) where the rows have to be sorted.
    @inlinable
    public init(_ rows: some Sequence<Element>) throws(EntityTableError) {
        self.init(sorting: .unsorted)
        let rows = ContiguousArray(rows)
        tree = RowTree(building: rows)
        if let position = tree.firstDuplicate {
            throw .duplicateID(rows[position].id, position: position, of: Element.self)
        }
        startAnew()
    }

    /// Makes a table of rows, combining rows that have the same id.
    ///
    /// - Parameters:
    ///   - rows: The rows; those of a ``SortedRow`` in any order.
    ///   - combine: Makes one row from two with the same id, in the place of the earlier one.
    /// - Throws: What `combine` throws.
    /// - Precondition: The combined row has the id of the two.
    /// - Complexity: O(*n* log *n*).
    @inlinable
    public init<E: Error>(
        _ rows: some Sequence<Element>,
        uniquing combine: (_ earlier: Element, _ later: Element) throws(E) -> Element
    ) throws(E) {
        self.init(sorting: .unsorted)
        for row in rows where !append(row) {
            try update(id: row.id) { earlier throws(E) in
                earlier = try combine(earlier, row)
            }
        }
        startAnew()
    }

    /// Adds rows at the end, or at their places if the table is sorted.
    ///
    /// - Returns: The number of rows added; rows whose ids are already present are left out.
    /// - Complexity: O(*k* log *n*) for *k* rows.
    @inlinable
    @discardableResult
    public mutating func append(contentsOf rows: some Sequence<Element>) -> Int {
        let before = count
        for row in rows { append(row) }
        return count - before
    }

    /// Replaces the rows that have the same ids, and adds the others as ``append(contentsOf:)``
    /// does, for instance with data from a server.
    ///
    /// A row that replaces an equal one counts as changed.
    ///
    /// - Returns: The number of rows added.
    /// - Complexity: O(*k* log *n*) for *k* rows.
    @inlinable
    @discardableResult
    public mutating func upsert(contentsOf rows: some Sequence<Element>) -> Int {
        let before = count
        for row in rows { self[id: row.id] = row }
        return count - before
    }

    /// Removes the rows that satisfy a condition.
    ///
    /// - Parameter isWanted: Whether to remove a row; asked once for each, in order, beforehand.
    /// - Returns: The number of rows removed.
    /// - Throws: What `isWanted` throws; then no row is removed.
    /// - Complexity: O(*n* + *k* log *n*) for *k* removed rows.
    @inlinable
    @discardableResult
    public mutating func removeAll<E: Error>(
        where isWanted: (Element) throws(E) -> Bool
    ) throws(E) -> Int {
        var ids: [ID] = []
        for row in self where try isWanted(row) { ids.append(row.id) }
        for id in ids { remove(id: id) }
        return ids.count
    }

    /// Sorts a table that was built unsorted and is not yet used elsewhere, and forgets how it was
    /// built.
    @inlinable
    mutating func startAnew() {
        sorting = Self.declaredSorting
        sortRows()
        log = ChangeLog()
    }
}

extension EntityTable: ExpressibleByArrayLiteral {
    /// Makes a table of the rows of a literal.
    ///
    /// - Precondition: No id occurs twice.
    @inlinable
    public init(arrayLiteral rows: Element...) {
        do throws(EntityTableError) {
            try self.init(rows)
        } catch {
            fatalError(EntityTableMistake.duplicateInLiteral(error))
        }
    }
}
