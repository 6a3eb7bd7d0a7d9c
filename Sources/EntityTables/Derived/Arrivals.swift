// SPDX-License-Identifier: MIT

/// Rows to be put into a table that is derived from another one with the same ids.
@usableFromInline
struct Arrivals<Source: Identifiable, Row: Identifiable> where Row.ID == Source.ID {
    @usableFromInline let source: EntityTable<Source>
    @usableFromInline var rows: [(row: Row, wasThere: Bool)] = []

    /// No arrivals yet, in a table derived from `source`.
    @inlinable
    init(to source: EntityTable<Source>) {
        self.source = source
    }

    /// Notes a row that is new, or that was taken out to be put elsewhere.
    @inlinable
    mutating func add(_ row: Row, wasThere: Bool) {
        rows.append((row, wasThere))
    }

    /// Puts the rows in where the source has them, or where an order puts them, with equal rows in
    /// the source's order.
    ///
    /// - Complexity: O(log² *n*) for each row where the source decides, O(log *n*) where the order
    ///   does.
    @inlinable
    func settle(in table: inout EntityTable<Row>, _ order: RowOrder<Row>? = nil) {
        for (row, wasThere) in rows { settle(row, wasThere: wasThere, in: &table, order) }
    }

    @inlinable
    func settle(
        _ row: Row, wasThere: Bool, in table: inout EntityTable<Row>, _ order: RowOrder<Row>?
    ) {
        let place = source.index(id: row.id)
        let position = table.tree.position { other in
            if let order {
                if order.areInOrder(row, other) { return true }
                if order.areInOrder(other, row) { return false }
            }
            guard let place, let otherPlace = source.index(id: other.id) else { return false }
            return otherPlace > place
        }
        guard wasThere else { return table.insertNew(row, at: position) }
        table.reinsert(row, at: position)
        table.log.record(.updated, row.id)
    }
}

extension EntityTable {
    /// A table of rows with different ids, without a memory of how it was made.
    ///
    /// - Complexity: O(*n*), the index by id included.
    @inlinable
    init(unlogged rows: some Sequence<Element>) {
        var sorting = Self.declaredSorting
        if case .sorted = sorting { sorting = .derived }
        self.init(sorting: sorting)
        tree = RowTree(building: ContiguousArray(rows))
    }

    /// Replaces the row with the same id; false if there is none.
    @inlinable
    mutating func replace(_ row: Element) -> Bool {
        guard tree.update(row.id, { $0 = row }) != nil else { return false }
        log.record(.updated, row.id)
        return true
    }
}
