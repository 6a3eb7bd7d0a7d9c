// SPDX-License-Identifier: MIT

public import HashTreeCollections

/// A row, or none, for each row of a table, made from it and from the row of another table that it
/// names.
@usableFromInline
package struct TableJoin<
    Row: Identifiable & Sendable, Other: Identifiable & Sendable, NewRow: Identifiable & Sendable
>: Sendable
where Row.ID: Sendable, Other.ID: Sendable, NewRow.ID == Row.ID {
    @usableFromInline
    package struct Kept: Sendable {
        @usableFromInline package var rows: EntityTable<NewRow>
        /// The row that each row names, and backwards.
        @usableFromInline var named: TreeDictionary<Row.ID, Other.ID> = [:]
        @usableFromInline var naming: TreeDictionary<Other.ID, TreeSet<Row.ID>> = [:]

        @inlinable
        init() {
            rows = EntityTable()
        }

        @inlinable
        mutating func link(_ id: Row.ID, to other: Other.ID?) {
            let old = named[id]
            guard old != other else { return }
            if let old {
                naming[old]?.remove(id)
                if naming[old]?.isEmpty == true { naming[old] = nil }
            }
            named[id] = other
            if let other { naming[other, default: []].insert(id) }
        }
    }

    @usableFromInline package let key: @Sendable (Row) -> Other.ID?
    @usableFromInline let newRow: @Sendable (Row, Other?) -> NewRow?

    /// A join.
    ///
    /// - Parameters:
    ///   - key: The id of the other row; nil where a row names none.
    ///   - newRow: What the row and the other one, if it is there, give, with the id of the row.
    @inlinable
    package init(
        on key: @escaping @Sendable (Row) -> Other.ID?,
        _ newRow: @escaping @Sendable (Row, Other?) -> NewRow?
    ) {
        self.key = key
        self.newRow = newRow
    }

    @inlinable
    func newRow(
        of row: Row, naming other: Other.ID?, in others: EntityTable<Other>
    ) -> NewRow? {
        let new = newRow(row, other.flatMap { others[id: $0] })
        if let new { EntityTable<NewRow>.check(new.id, isKeptFrom: row.id) }
        return new
    }

    @inlinable
    package func compute(_ source: EntityTable<Row>, _ others: EntityTable<Other>) -> Kept {
        var kept = Kept()
        var rows: ContiguousArray<NewRow> = []
        for row in source {
            let other = key(row)
            kept.link(row.id, to: other)
            if let new = newRow(of: row, naming: other, in: others) { rows.append(new) }
        }
        kept.rows = EntityTable(unlogged: rows)
        return kept
    }

    /// Brings what was computed from one state of both tables to another one.
    @inlinable
    package func follow(
        _ kept: inout Kept, since old: ChangeLog<Row.ID>, _ otherOld: ChangeLog<Other.ID>,
        in source: EntityTable<Row>, _ others: EntityTable<Other>
    ) -> Bool {
        guard var changes = source.changes(since: old) else { return false }
        var naming: [Row.ID] = []
        let isKnown = others.forEachTouched(since: otherOld) { id in
            if let ids = kept.naming[id] { naming.append(contentsOf: ids) }
        }
        guard isKnown else { return false }
        for id in changes.removed { kept.link(id, to: nil) }
        for id in changes.inserted { kept.link(id, to: source[id: id].flatMap(key)) }
        for id in changes.updated { kept.link(id, to: source[id: id].flatMap(key)) }
        if !naming.isEmpty {
            // Each is named once: a row names one other, and each other is touched once.
            let known = Set(changes.updated)
            changes.updated += naming.filter { !known.contains($0) }
        }
        let named = kept.named
        kept.rows.follow(changes, of: source) { newRow(of: $0, naming: named[$0.id], in: others) }
        return true
    }
}
