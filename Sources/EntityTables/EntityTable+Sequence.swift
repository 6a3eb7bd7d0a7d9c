// SPDX-License-Identifier: MIT

// MARK: - Many rows at once

extension EntityTable {
    /// Makes a table of rows whose ids may not be unique, as data from outside.
    ///
    /// - Parameters:
    ///   - rows: The rows, in order.
    ///   - order: How the table is to keep its rows sorted; nil to leave them where they are.
    /// - Throws: An ``EntityTableError`` that names the first id which occurs twice.
    /// - Complexity: O(*n* log *n*).
    @inlinable
    public init(
        _ rows: some Sequence<Element>, sortedBy order: RowOrder<Element>? = nil
    ) throws(EntityTableError) {
        self.init()
        for row in rows {
            guard append(row) else {
                throw .duplicateID(row.id, position: count, of: Element.self)
            }
        }
        startAnew(sortedBy: order)
    }

    /// Makes a table of rows, and one of each two that have the same id.
    ///
    /// - Parameters:
    ///   - rows: The rows, in order.
    ///   - order: How the table is to keep its rows sorted; nil to leave them where they are.
    ///   - combine: What stands for two rows with one id, in the place of the earlier one.
    /// - Throws: What `combine` throws.
    /// - Precondition: The combined row has the id of the two.
    /// - Complexity: O(*n* log *n*).
    @inlinable
    public init<E: Error>(
        _ rows: some Sequence<Element>, sortedBy order: RowOrder<Element>? = nil,
        uniquing combine: (_ earlier: Element, _ later: Element) throws(E) -> Element
    ) throws(E) {
        self.init()
        for row in rows where !append(row) {
            try update(id: row.id) { earlier throws(E) in
                earlier = try combine(earlier, row)
            }
        }
        startAnew(sortedBy: order)
    }

    /// Forgets how a table that nobody has seen yet was built.
    @inlinable
    mutating func startAnew(sortedBy order: RowOrder<Element>?) {
        self.order = order
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
            preconditionFailure(EntityTableMisuse.duplicateInLiteral(error))
        }
    }
}
