// SPDX-License-Identifier: MIT

internal import EntityTables

/// A table that knows which of its rows changed, without its type.
///
/// With it, looking after the effects of rows costs what a commit changed, not what the table holds.
struct TrackedTable: Sendable {
    /// The table's own type.
    let type: ValueType
    /// Where the row stands in an address.
    let depth: Int
    /// The name of the state of a table.
    let mark: @Sendable (UnsafeRawPointer) -> EntityMark
    /// The rows that changed since a mark; nil when the table does not know.
    let changesSince: @Sendable (UnsafeRawPointer, EntityMark) -> [RowKey]?
    /// The rows that differ between an older table and a newer one.
    let changes: @Sendable (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> [RowKey]

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
        changesSince = { table($0).changes(since: $1).map(keys) }
        changes = { keys(table($1).changes(since: table($0))) }
    }
}
