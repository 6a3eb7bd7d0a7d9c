// SPDX-License-Identifier: MIT

public import EntityTables
public import OnwardCore

// Selectors over tables follow the changes, a row at a time, to newer states and to older ones.
// Only if most rows differ (a new table was assigned) do they start over.

extension StateSelector {
    /// The rows of a table that satisfy a condition, in the table's order.
    ///
    /// ```swift
    /// let open = StateSelector<App, EntityTable<Todo>>(\.todos).filter { !$0.isDone }
    /// ```
    ///
    /// - Parameters:
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - isIncluded: Whether a row is wanted; pure, and called for rows that changed.
    /// - Returns: The selector of those rows.
    /// - Complexity: O(*c* log² *n*) for *c* changed rows; O(*n* log *n*) the first time.
    @inlinable
    public func filter<Row: Identifiable & Sendable>(
        file: String = #fileID, line: Int = #line,
        _ isIncluded: @escaping @Sendable (Row) -> Bool
    ) -> StateSelector where Value == EntityTable<Row>, Row.ID: Sendable {
        StateSelector(
            TableFilter(isIncluded), of: self, origin: ActionOrigin(file: file, line: line))
    }

    /// The rows of a table in an order; equal rows keep the table's order.
    ///
    /// - Parameters:
    ///   - order: The order.
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    /// - Returns: The selector of the sorted table.
    /// - Complexity: O(*c* log *n*) for *c* changed rows, O(*c* log² *n*) among equal rows; O(*n*
    ///   log *n*) the first time.
    @inlinable
    public func sorted<Row: Identifiable & Sendable>(
        by order: RowOrder<Row>, file: String = #fileID, line: Int = #line
    ) -> StateSelector where Value == EntityTable<Row>, Row.ID: Sendable {
        StateSelector(TableSorting(order), of: self, origin: ActionOrigin(file: file, line: line))
    }

    /// The rows of a table in the order of a comparison; equal rows keep the table's order.
    ///
    /// - Parameters:
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - areInOrder: Whether the first row must come before the second; a strict weak order,
    ///     pure.
    /// - Returns: The selector of the sorted table.
    /// - Complexity: Like ``sorted(by:file:line:)`` with an order.
    @inlinable
    public func sorted<Row: Identifiable & Sendable>(
        file: String = #fileID, line: Int = #line,
        by areInOrder: @escaping @Sendable (_ first: Row, _ second: Row) -> Bool
    ) -> StateSelector where Value == EntityTable<Row>, Row.ID: Sendable {
        sorted(by: RowOrder(areInOrder), file: file, line: line)
    }

    /// What a closure makes from each row of a table, in the table's order.
    ///
    /// - Parameters:
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - transform: Makes a row with the same id; pure, and called for rows that changed.
    /// - Returns: The selector of the new rows.
    /// - Precondition: The new row has the id of the old one.
    /// - Complexity: O(*c* log *n*) for *c* changed rows; O(*n* log *n*) the first time.
    @inlinable
    public func map<Row: Identifiable & Sendable, NewRow: Identifiable & Sendable>(
        file: String = #fileID, line: Int = #line,
        _ transform: @escaping @Sendable (Row) -> NewRow
    ) -> StateSelector<State, EntityTable<NewRow>>
    where Value == EntityTable<Row>, Row.ID: Sendable, NewRow.ID == Row.ID {
        StateSelector<State, EntityTable<NewRow>>(
            TableMapping(transform), of: self, origin: ActionOrigin(file: file, line: line))
    }

    /// The rows of a table in groups by a key, each group in the table's order.
    ///
    /// - Parameters:
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - key: The key of the group that a row belongs in; pure, and called for rows that changed.
    ///     A row whose key does not equal itself, such as `Double.nan`, is in no group.
    /// - Returns: The selector of the groups.
    /// - Complexity: O(*c* log² *n*) for *c* changed rows; O(*n* log *n*) the first time.
    @inlinable
    public func grouped<Row: Identifiable & Sendable, Key: Hashable & Sendable>(
        file: String = #fileID, line: Int = #line,
        by key: @escaping @Sendable (Row) -> Key
    ) -> StateSelector<State, EntityGroups<Key, Row>>
    where Value == EntityTable<Row>, Row.ID: Sendable {
        StateSelector<State, EntityGroups<Key, Row>>(
            TableGrouping(key), of: self, origin: ActionOrigin(file: file, line: line))
    }

    /// How many rows a table has.
    ///
    /// - Complexity: O(1), plus the cost of the table.
    public func count<Row: Identifiable & Sendable>(
        file: String = #fileID, line: Int = #line
    ) -> StateSelector<State, Int> where Value == EntityTable<Row>, Row.ID: Sendable {
        StateSelector<State, Int>(self, file: file, line: line) { $0.count }
    }

    /// How many rows of a table satisfy a condition.
    ///
    /// - Parameters:
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - isIncluded: Whether a row counts; pure, and called for rows that changed.
    /// - Returns: The selector of the number.
    /// - Complexity: Like ``filter(file:line:_:)``.
    @inlinable
    public func count<Row: Identifiable & Sendable>(
        file: String = #fileID, line: Int = #line,
        where isIncluded: @escaping @Sendable (Row) -> Bool
    ) -> StateSelector<State, Int> where Value == EntityTable<Row>, Row.ID: Sendable {
        filter(file: file, line: line, isIncluded).count(file: file, line: line)
    }
}
