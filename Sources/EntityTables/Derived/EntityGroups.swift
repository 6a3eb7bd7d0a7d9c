// SPDX-License-Identifier: MIT

public import HashTreeCollections

/// The rows of a table in groups: a table for each key, none of them empty.
///
/// The result of ``StateSelector/grouped(file:line:by:)``. It is a value that shares what did not change
/// with its earlier versions.
public struct EntityGroups<Key: Hashable, Row: Identifiable> {
    @usableFromInline var tables: TreeDictionary<Key, EntityTable<Row>> = [:]
    /// Which group each row is in.
    @usableFromInline var keys: TreeDictionary<Row.ID, Key> = [:]
    /// Which groups changed; their tables know which of their rows did.
    @usableFromInline package var log = ChangeLog<Key>()

    @inlinable
    init() {}

    /// The name of the groups' present state.
    @inlinable
    package var mark: EntityMark { log.mark }

    /// The rows of a group, in the order of the grouped table; empty if there is no such group.
    ///
    /// - Complexity: O(1) on average.
    @inlinable
    public subscript(key: Key) -> EntityTable<Row> { tables[key] ?? EntityTable(unlogged: []) }

    /// The key of the group that contains a row; nil if there is no such row.
    ///
    /// - Complexity: O(1) on average.
    @inlinable
    public func key(ofRow id: Row.ID) -> Key? { keys[id] }

    /// How many groups there are.
    @inlinable
    public var count: Int { tables.count }

    /// Whether there are no groups.
    @inlinable
    public var isEmpty: Bool { tables.isEmpty }
}

extension EntityGroups: Sequence {
    /// Makes an iterator over the groups, in no particular order.
    @inlinable
    public func makeIterator() -> some IteratorProtocol<(key: Key, rows: EntityTable<Row>)> {
        tables.lazy.map { (key: $0.key, rows: $0.value) }.makeIterator()
    }
}

extension EntityGroups: Equatable where Row: Equatable {
    /// Whether both have equal groups under equal keys.
    ///
    /// - Complexity: O(groups that are not shared), plus the comparison of their tables.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        left.mark == right.mark || left.tables == right.tables
    }
}

extension EntityGroups: Sendable where Key: Sendable, Row: Sendable, Row.ID: Sendable {}

extension EntityGroups {
    /// Puts new rows into groups, without logging it.
    @inlinable
    init(unlogged rows: some Sequence<Row>, by key: (Row) -> Key?) {
        self.init()
        var groups: [Key: ContiguousArray<Row>] = [:]
        for row in rows {
            guard let key = key(row) else { continue }
            keys[row.id] = key
            groups[key, default: []].append(row)
        }
        for (key, rows) in groups { tables[key] = EntityTable(unlogged: rows) }
    }

    /// Adds a row to a group, where `place` puts it.
    @inlinable
    mutating func insert(_ row: Row, in key: Key, _ place: (inout EntityTable<Row>) -> Void) {
        keys[row.id] = key
        log.record(.updated, key)
        place(&tables[key, default: EntityTable(unlogged: [])])
    }

    /// Replaces the row with the same id in a group; false if the group has no such row.
    @inlinable
    mutating func replace(_ row: Row, in key: Key) -> Bool {
        guard keys[row.id] == key, tables[key]?.replace(row) == true else { return false }
        log.record(.updated, key)
        return true
    }

    /// Takes a row out of its group.
    @inlinable
    mutating func remove(_ id: Row.ID) {
        guard let key = keys.removeValue(forKey: id) else { return }
        log.record(.updated, key)
        tables[key]?.remove(id: id)
        if tables[key]?.isEmpty == true { tables[key] = nil }
    }
}
