// SPDX-License-Identifier: MIT

public import HashTreeCollections

/// A value for each group of rows: a balance for each account, the last visit of each guest.
///
/// ```swift
/// let balances = StateSelector<Book, EntityTable<Expense>>(\.expenses)
///     .grouped { $0.account }
///     .sum { $0.amount }
/// store.value(of: .selector(balances))["cash"]
/// ```
///
/// It is a value that shares what did not change with its earlier versions.
public struct GroupValues<Key: Hashable, Value> {
    @usableFromInline var values: TreeDictionary<Key, Value> = [:]
    /// The value of a group without rows.
    @usableFromInline let none: Value

    @inlinable
    init(none: Value) {
        self.none = none
    }

    /// The value of a group; the value for no rows if there is no such group.
    ///
    /// - Complexity: O(1) on average.
    @inlinable
    public subscript(key: Key) -> Value { values[key] ?? none }

    /// How many groups there are.
    @inlinable
    public var count: Int { values.count }

    /// Whether there are no groups.
    @inlinable
    public var isEmpty: Bool { values.isEmpty }

    /// The keys of the groups, in no particular order.
    @inlinable
    public var keys: some Collection<Key> { values.keys }
}

extension GroupValues: Sequence {
    /// Makes an iterator over the groups, in no particular order.
    @inlinable
    public func makeIterator() -> some IteratorProtocol<(key: Key, value: Value)> {
        values.lazy.map { (key: $0.key, value: $0.value) }.makeIterator()
    }
}

extension GroupValues: Equatable where Value: Equatable {
    /// Whether both have equal values under equal keys, and the same value for missing groups.
    ///
    /// - Complexity: O(groups that are not shared).
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        left.none == right.none && left.values == right.values
    }
}

extension GroupValues: Sendable where Key: Sendable, Value: Sendable {}
