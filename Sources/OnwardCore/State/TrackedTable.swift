// SPDX-License-Identifier: MIT

package import EntityTables

/// A table that knows which of its rows changed, without its type.
///
/// With it, work that belongs to rows costs in proportion to what a commit changed, not to what the table
/// holds.
package struct TrackedTable: Sendable {
    /// The table's own type.
    package let type: ValueType
    /// The position of the row's step in an address.
    package let depth: Int
    /// The name of the state of a table.
    package let mark: @Sendable (UnsafeRawPointer) -> EntityMark
    /// The rows that changed since a mark; nil when the table does not know.
    package let changesSince: @Sendable (EntityMark, UnsafeRawPointer) -> [RowKey]?
    /// Says for a key whether the row that had it was taken out since a mark: a row with that key now is
    /// another one.
    package let departures: @Sendable (EntityMark, UnsafeRawPointer) -> (RowKey) -> Bool
    /// The rows that differ between an older table and a newer one.
    package let changes: @Sendable (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> [RowKey]

    /// Nil for a collection that does not know its changes.
    init?<Rows: RowCollection & Sendable>(of rows: Rows.Type, at depth: Int)
    where Rows.Element: Sendable, Rows.Element.ID: Sendable {
        // A conformance that depends on rows being `Sendable` cannot be asked for, so the type is
        // compared with the one table there is.
        typealias Row = Rows.Element
        guard rows == EntityTable<Row>.self else { return nil }
        @Sendable func table(_ pointer: UnsafeRawPointer) -> EntityTable<Row> {
            pointer.assumingMemoryBound(to: EntityTable<Row>.self).pointee
        }
        @Sendable func keys(_ changes: EntityChanges<Row.ID>) -> [RowKey] {
            (changes.removed + changes.inserted + changes.updated).map { RowKey($0) }
        }
        type = TypedValue<EntityTable<Row>>()
        self.depth = depth
        mark = { table($0).mark }
        changesSince = { table($1).loggedChanges(since: $0).map(keys) }
        departures = { mark, pointer in
            let departures = table(pointer).departures(since: mark)
            return { key in
                if departures.isEmpty { return false }
                return departures.isEveryone
                    || key.id(as: Row.ID.self).map(departures.contains) == true
            }
        }
        changes = { keys(table($1).changes(since: table($0))) }
    }
}

/// A tracked table that lies inside something that has to be found, such as a row of another table.
package struct InnerTable: Sendable {
    package let table: TrackedTable
    /// The way to the table itself.
    package let scan: SliceLens.Scan

    /// The name of the table's state; nil when there is no table.
    package func mark(of address: Address, from start: UnsafeRawPointer) -> EntityMark? {
        var mark: EntityMark?
        scan(start, address, []) { mark = table.mark($1) }
        return mark
    }

    /// Whether the row on the way to an instance is another row than it was.
    package func hasOther(
        _ address: Address, since mark: EntityMark?, from start: UnsafeRawPointer
    ) -> Bool {
        guard let mark, let key = address.row(at: table.depth) else { return false }
        var isOther = false
        scan(start, address, []) { isOther = table.departures(mark, $1)(key) }
        return isOther
    }
}
