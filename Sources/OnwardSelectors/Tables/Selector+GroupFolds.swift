// SPDX-License-Identifier: MIT

public import EntityTables
public import OnwardCore

// The same for each group of rows.

extension StateSelector {
    /// What a closure derives from each group.
    ///
    /// ```swift
    /// let openPerOwner = open.grouped { $0.owner }.mapValues { $0.count }
    /// ```
    ///
    /// - Parameters:
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - transform: Gets the rows of a group; pure. Called for groups that changed, and once with
    ///     no rows.
    /// - Returns: The selector of the values.
    /// - Complexity: O(1) plus the cost of `transform` for each group that changed.
    @inlinable
    public func mapValues<Key, Row: Identifiable & Sendable, Each: Sendable>(
        file: String = #fileID, line: Int = #line,
        _ transform: @escaping @Sendable (EntityTable<Row>) -> Each
    ) -> StateSelector<State, GroupValues<Key, Each>>
    where Value == EntityGroups<Key, Row>, Row.ID: Sendable {
        StateSelector<State, GroupValues<Key, Each>>(
            each: TableSummary(transform), of: self, origin: ActionOrigin(file: file, line: line))
    }

    /// The sum of a number of each row, for each group.
    ///
    /// ```swift
    /// let balances = StateSelector<Book, EntityTable<Expense>>(\.expenses)
    ///     .grouped { $0.account }
    ///     .sum { $0.cents }
    /// ```
    ///
    /// It works like the sum of a table, with the same promise about rounding.
    ///
    /// - Complexity: O(*c*) for *c* changed rows on average, plus the cost of the groups; O(*n*)
    ///   the first time.
    @inlinable
    public func sum<Key, Row: Identifiable & Sendable, Number: AdditiveArithmetic & Sendable>(
        file: String = #fileID, line: Int = #line,
        of number: @escaping @Sendable (Row) -> Number
    ) -> StateSelector<State, GroupValues<Key, Number>>
    where Value == EntityGroups<Key, Row>, Row.ID: Sendable {
        StateSelector<State, GroupValues<Key, Number>>(
            each: TableFold<Row, Number, Number, Number>(sumOf: number), of: self,
            origin: ActionOrigin(file: file, line: line))
    }

    /// The sum of a whole number of each row, for each group.
    @inlinable
    public func sum<Key, Row: Identifiable & Sendable, Number: FixedWidthInteger & Sendable>(
        file: String = #fileID, line: Int = #line,
        of number: @escaping @Sendable (Row) -> Number
    ) -> StateSelector<State, GroupValues<Key, Number>>
    where Value == EntityGroups<Key, Row>, Row.ID: Sendable {
        StateSelector<State, GroupValues<Key, Number>>(
            each: TableFold<Row, Number, WholeSum<Number>, Number>(wholeSumOf: number), of: self,
            origin: ActionOrigin(file: file, line: line))
    }

    /// The sum of a floating-point number of each row, for each group, rounded once.
    @inlinable
    public func sum<Key, Row: Identifiable & Sendable, Number: BinaryFloatingPoint & Sendable>(
        file: String = #fileID, line: Int = #line,
        of number: @escaping @Sendable (Row) -> Number
    ) -> StateSelector<State, GroupValues<Key, Number>>
    where Value == EntityGroups<Key, Row>, Row.ID: Sendable {
        StateSelector<State, GroupValues<Key, Number>>(
            each: TableFold<Row, Double, ExactSum, Number>(exactSumOf: number), of: self,
            origin: ActionOrigin(file: file, line: line))
    }

    /// The total of the rows of each group.
    ///
    /// It works as for a table. A row that moves to another group is removed from one and added to
    /// the other.
    @inlinable
    public func reduced<Key, Row: Identifiable & Sendable, Total: Sendable>(
        into nothing: Total, file: String = #fileID, line: Int = #line,
        adding add: @escaping @Sendable (_ total: inout Total, _ row: Row) -> Void,
        removing remove: @escaping @Sendable (_ total: inout Total, _ row: Row) -> Void
    ) -> StateSelector<State, GroupValues<Key, Total>>
    where Value == EntityGroups<Key, Row>, Row.ID: Sendable {
        StateSelector<State, GroupValues<Key, Total>>(
            each: TableFold<Row, Row, Total, Total>(
                nothing, of: { $0 }, adding: add, removing: remove, showing: { $0 }),
            of: self, origin: ActionOrigin(file: file, line: line))
    }

    /// The minimum of a number of each row, for each group; nil if there is no such group.
    @inlinable
    public func min<Key, Row: Identifiable & Sendable, Number: Comparable & Sendable>(
        file: String = #fileID, line: Int = #line,
        of number: @escaping @Sendable (Row) -> Number
    ) -> StateSelector<State, GroupValues<Key, Number?>>
    where Value == EntityGroups<Key, Row>, Row.ID: Sendable {
        StateSelector<State, GroupValues<Key, Number?>>(
            each: TableExtreme<Row, Number>(of: number, by: { $0 < $1 }), of: self,
            origin: ActionOrigin(file: file, line: line))
    }

    /// The maximum of a number of each row, for each group; nil if there is no such group.
    @inlinable
    public func max<Key, Row: Identifiable & Sendable, Number: Comparable & Sendable>(
        file: String = #fileID, line: Int = #line,
        of number: @escaping @Sendable (Row) -> Number
    ) -> StateSelector<State, GroupValues<Key, Number?>>
    where Value == EntityGroups<Key, Row>, Row.ID: Sendable {
        StateSelector<State, GroupValues<Key, Number?>>(
            each: TableExtreme<Row, Number>(of: number, by: { $0 > $1 }), of: self,
            origin: ActionOrigin(file: file, line: line))
    }
}
