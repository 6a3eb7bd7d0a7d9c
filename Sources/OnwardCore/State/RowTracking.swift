// SPDX-License-Identifier: MIT

internal import EntityTables

/// The change log of a table of a collection's type.
struct RowTracking<Rows: RowCollection & Sendable>: Sendable
where Rows.Element: Sendable, Rows.Element.ID: Sendable {
    typealias ID = Rows.Element.ID

    /// The name of the state of a table.
    let mark: @Sendable (UnsafeRawPointer) -> EntityMark
    /// The changes since a mark; nil when the table does not know.
    let changes: @Sendable (EntityMark, UnsafeRawPointer) -> EntityChanges<ID>?
    /// Calls the closure with each row that changed since a mark; false when the table does not know.
    let forEachTouched: @Sendable (EntityMark, UnsafeRawPointer, (ID) -> Void) -> Bool
    /// The rows that were taken out since a mark: a row with such an id now is another one.
    let departures: @Sendable (EntityMark, UnsafeRawPointer) -> EntityDepartures<ID>

    /// Nil for a collection that does not know its changes.
    init?() {
        // A conformance that depends on rows being `Sendable` cannot be asked for, so the type is
        // compared with the one table there is.
        typealias Table = EntityTable<Rows.Element>
        guard Rows.self == Table.self else { return nil }
        mark = { $0.assumingMemoryBound(to: Table.self).pointee.mark }
        changes = { $1.assumingMemoryBound(to: Table.self).pointee.loggedChanges(since: $0) }
        forEachTouched = {
            $1.assumingMemoryBound(to: Table.self).pointee.forEachTouched(since: $0, $2)
        }
        departures = { $1.assumingMemoryBound(to: Table.self).pointee.departures(since: $0) }
    }
}
