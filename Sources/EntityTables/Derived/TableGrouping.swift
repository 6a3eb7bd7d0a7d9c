// SPDX-License-Identifier: MIT

/// The rows of a table in groups, each in the table's order.
@usableFromInline
package struct TableGrouping<Key: Hashable & Sendable, Row: Identifiable & Sendable>:
    TableDerivation
where Row.ID: Sendable {
    @usableFromInline package let key: @Sendable (Row) -> Key

    @inlinable
    package init(_ key: @escaping @Sendable (Row) -> Key) {
        self.key = key
    }

    /// The group of a row; nil if its key does not equal itself, so that the group could not be
    /// found.
    @inlinable
    func group(of row: Row) -> Key? {
        let key = key(row)
        return key == key ? key : nil
    }

    @inlinable
    package func compute(_ source: EntityTable<Row>) -> EntityGroups<Key, Row> {
        EntityGroups(unlogged: source, by: group)
    }

    @inlinable
    package func follow(
        _ groups: inout EntityGroups<Key, Row>, since old: ChangeLog<Row.ID>,
        in source: EntityTable<Row>
    ) -> Bool {
        guard let changes = source.changes(since: old) else { return false }
        let arrivals = Arrivals<Row, Row>(to: source)
        var arriving: [(row: Row, key: Key)] = []
        for id in changes.removed { groups.remove(id) }
        for id in changes.moved {
            groups.remove(id)
            if let row = source[id: id], let key = group(of: row) { arriving.append((row, key)) }
        }
        let moved = Set(changes.moved)
        for id in changes.updated where !moved.contains(id) {
            guard let row = source[id: id] else { continue }
            let key = group(of: row)
            if let key, groups.replace(row, in: key) { continue }
            groups.remove(id)
            if let key { arriving.append((row, key)) }
        }
        for id in changes.inserted {
            if let row = source[id: id], let key = group(of: row) { arriving.append((row, key)) }
        }
        for (row, key) in arriving {
            groups.insert(row, in: key) { arrivals.settle(row, wasThere: false, in: &$0, nil) }
        }
        return true
    }
}
