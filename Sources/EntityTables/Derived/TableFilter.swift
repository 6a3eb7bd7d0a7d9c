// SPDX-License-Identifier: MIT

/// The rows of a table that satisfy a condition, in the table's order.
@usableFromInline
package struct TableFilter<Row: Identifiable & Sendable>: TableDerivation where Row.ID: Sendable {
    @usableFromInline let isIncluded: @Sendable (Row) -> Bool

    @inlinable
    package init(_ isIncluded: @escaping @Sendable (Row) -> Bool) {
        self.isIncluded = isIncluded
    }

    @inlinable
    package func compute(_ source: EntityTable<Row>) -> EntityTable<Row> {
        EntityTable(unlogged: source.lazy.filter(isIncluded))
    }

    @inlinable
    package func follow(
        _ rows: inout EntityTable<Row>, since old: ChangeLog<Row.ID>, in source: EntityTable<Row>
    ) -> Bool {
        guard let changes = source.changes(since: old) else { return false }
        rows.follow(changes, of: source) { isIncluded($0) ? $0 : nil }
        return true
    }

    /// Turns the choice of another condition into that of this one, logging it if few rows differ.
    ///
    /// - Complexity: One question for each row of the source. O(*d* log *n*) for *d* rows that come
    ///   or go, O(*k*) for all *k* chosen rows where that is less.
    @inlinable
    package func adopt(
        _ rows: inout EntityTable<Row>, of other: Self?, since old: ChangeLog<Row.ID>,
        in source: EntityTable<Row>
    ) -> Bool {
        // The old rows have to be in the order of the source's rows now.
        if old.mark != source.mark {
            guard let other, other.follow(&rows, since: old, in: source) else { return false }
        }
        let (chosen, arriving, leaving) = differences(from: rows, in: source)
        // Changing a row costs about as much as building this many.
        guard (arriving.count + leaving.count) * 8 <= chosen.count else {
            rows = EntityTable(unlogged: chosen)
            return true
        }
        for id in leaving { rows.remove(id: id) }
        // From the first to the last, so that each finds those before it in place.
        for position in arriving { rows.insertNew(chosen[position], at: position) }
        return true
    }

    /// The chosen rows, the positions of those among them that were not there, and the ids of those
    /// that were there and are not chosen.
    @inlinable
    func differences(
        from rows: EntityTable<Row>, in source: EntityTable<Row>
    ) -> (chosen: ContiguousArray<Row>, arriving: [Int], leaving: [Row.ID]) {
        var chosen: ContiguousArray<Row> = []
        var arriving: [Int] = []
        var leaving: [Row.ID] = []
        // The old rows are some of the source's, in its order: a walk along both finds them.
        var old = rows.makeIterator()
        var next = old.next()?.id
        for row in source {
            let wasThere = next == row.id
            if wasThere { next = old.next()?.id }
            if isIncluded(row) {
                if !wasThere { arriving.append(chosen.count) }
                chosen.append(row)
            } else if wasThere {
                leaving.append(row.id)
            }
        }
        return (chosen, arriving, leaving)
    }
}
