// SPDX-License-Identifier: MIT

/// A row made from each row of a table, in the table's order.
@usableFromInline
package struct TableMapping<Row: Identifiable & Sendable, NewRow: Identifiable & Sendable>:
    TableDerivation
where Row.ID: Sendable, NewRow.ID == Row.ID {
    @usableFromInline let transform: @Sendable (Row) -> NewRow

    @inlinable
    package init(_ transform: @escaping @Sendable (Row) -> NewRow) {
        self.transform = transform
    }

    @inlinable
    func newRow(of row: Row) -> NewRow {
        let new = transform(row)
        EntityTable<NewRow>.check(new.id, isKeptFrom: row.id)
        return new
    }

    @inlinable
    package func compute(_ source: EntityTable<Row>) -> EntityTable<NewRow> {
        EntityTable(unlogged: source.lazy.map(newRow))
    }

    @inlinable
    package func follow(
        _ rows: inout EntityTable<NewRow>, since old: ChangeLog<Row.ID>, in source: EntityTable<Row>
    ) -> Bool {
        guard var changes = source.changes(since: old) else { return false }
        rows.takeNames(from: &changes) { source[id: $0].map(newRow) }
        for id in changes.removed { rows.remove(id: id) }
        let moved = Set(changes.moved)
        for id in changes.updated where !moved.contains(id) {
            if let row = source[id: id] { _ = rows.replace(newRow(of: row)) }
        }
        for id in changes.moved { _ = rows.tree.remove(id) }
        // From the first position to the last, so that each row finds those before it in place.
        for id in source.inOrder(changes.inserted + changes.moved) {
            guard let row = source[id: id], let position = source.index(id: id) else { continue }
            if moved.contains(id) {
                rows.reinsert(newRow(of: row), at: position)
                rows.log.record(.updated, id)
            } else {
                rows.insertNew(newRow(of: row), at: position)
            }
        }
        return true
    }
}

extension EntityTable {
    @inlinable
    static func check(_ id: ID, isKeptFrom old: ID) {
        if id != old { reportUnkeptID(old, id) }
    }

    @usableFromInline
    @inline(never)
    static func reportUnkeptID(_ old: ID, _ new: ID) -> Never {
        fatalError(EntityTableMistake.unkeptID(old, new, of: Element.self))
    }
}
