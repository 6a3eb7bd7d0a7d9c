// SPDX-License-Identifier: MIT

/// The rows of a table in an order of their own; among equals, in the table's.
@usableFromInline
package struct TableSorting<Row: Identifiable & Sendable>: TableDerivation where Row.ID: Sendable {
    @usableFromInline let order: RowOrder<Row>

    @inlinable
    package init(_ order: RowOrder<Row>) {
        self.order = order
    }

    @inlinable
    package func compute(_ source: EntityTable<Row>) -> EntityTable<Row> {
        EntityTable(unlogged: source.sorted(by: order))
    }

    @inlinable
    package func follow(
        _ rows: inout EntityTable<Row>, since old: ChangeLog<Row.ID>, in source: EntityTable<Row>
    ) -> Bool {
        guard var changes = source.changes(since: old) else { return false }
        rows.takeNames(from: &changes) { source[id: $0] }
        for id in changes.removed { rows.remove(id: id) }
        var arrivals = Arrivals<Row, Row>(to: source)
        for id in changes.moved {
            // It may have to move among its equals.
            guard let row = source[id: id], rows.tree.remove(id) != nil else { continue }
            arrivals.add(row, wasThere: true)
        }
        let moved = Set(changes.moved)
        for id in changes.updated where !moved.contains(id) {
            guard let row = source[id: id], let old = rows[id: id] else { continue }
            if order.areInOrder(old, row) || order.areInOrder(row, old) {
                _ = rows.tree.remove(id)
                arrivals.add(row, wasThere: true)
            } else {
                _ = rows.replace(row)
            }
        }
        for id in changes.inserted {
            guard let row = source[id: id] else { continue }
            arrivals.add(row, wasThere: false)
        }
        arrivals.settle(in: &rows, order)
        return true
    }
}
