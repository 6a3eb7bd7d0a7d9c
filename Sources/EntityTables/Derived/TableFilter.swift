// SPDX-License-Identifier: MIT

/// The rows of a table that fulfil a condition, in the table's order.
@usableFromInline
package struct TableFilter<Row: Identifiable & Sendable>: Sendable where Row.ID: Sendable {
    @usableFromInline let isIncluded: @Sendable (Row) -> Bool

    @inlinable
    package init(_ isIncluded: @escaping @Sendable (Row) -> Bool) {
        self.isIncluded = isIncluded
    }

    @inlinable
    package func compute(_ source: EntityTable<Row>) -> EntityTable<Row> {
        EntityTable(unlogged: source.lazy.filter(isIncluded))
    }

    /// Brings what was computed from the source's state of a mark to the present one.
    @inlinable
    package func follow(
        _ rows: inout EntityTable<Row>, since mark: EntityMark, in source: EntityTable<Row>
    ) -> Bool {
        guard let changes = source.changes(since: mark) else { return false }
        for id in changes.removed { rows.remove(id: id) }
        // What was not moved stands in one order in both tables, so what comes can be put in after
        // the rest is as it must be.
        var arrivals = Arrivals<Row>(to: source)
        for id in changes.moved {
            let wasThere = rows.tree.remove(id) != nil
            guard let row = source[id: id] else { continue }
            if isIncluded(row) {
                arrivals.add(row, wasThere: wasThere)
            } else if wasThere {
                rows.log.record(.removed, id)
            }
        }
        let moved = Set(changes.moved)
        for id in changes.updated where !moved.contains(id) {
            guard let row = source[id: id] else { continue }
            guard isIncluded(row) else {
                rows.remove(id: id)
                continue
            }
            if !rows.replace(row) { arrivals.add(row, wasThere: false) }
        }
        for id in changes.inserted {
            guard let row = source[id: id], isIncluded(row) else { continue }
            arrivals.add(row, wasThere: false)
        }
        arrivals.settle(in: &rows)
        return true
    }
}
