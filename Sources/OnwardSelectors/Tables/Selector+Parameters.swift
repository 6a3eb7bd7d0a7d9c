// SPDX-License-Identifier: MIT

public import EntityTables
public import OnwardCore

// Filters and sorts with a parameter from the state or from another selector. A changed row is
// checked with the current parameter; with another parameter, each row is.

extension StateSelector {
    /// The rows of a table that satisfy a condition with a parameter, in the table's order.
    ///
    /// ```swift
    /// let found = StateSelector<App, EntityTable<Todo>>(\.todos).filter(with: \.query) { todo, query in
    ///     query.isEmpty || todo.title.contains(query)
    /// }
    /// ```
    ///
    /// To use several parameters, combine them into one:
    /// `StateSelector(\.query, \.showsDone) { ($0, $1) }`.
    ///
    /// - Parameters:
    ///   - parameter: The parameter, such as the text to search for. An `Equatable` one is kept, to
    ///     see whether it changed.
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - isIncluded: Whether a row is wanted; pure. Called for rows that changed, and for all
    ///     rows with another parameter.
    /// - Returns: The selector of those rows.
    /// - Complexity: O(*c* log² *n*) for *c* changed rows. With another parameter O(*n*); if few
    ///   rows come and go because of it, the others are left alone, and subscribers of changes are
    ///   notified of these few only.
    @inlinable
    public func filter<Row: Identifiable & Sendable, Parameter: Sendable>(
        with parameter: StateSelector<State, Parameter>, file: String = #fileID, line: Int = #line,
        _ isIncluded: @escaping @Sendable (_ row: Row, _ parameter: Parameter) -> Bool
    ) -> StateSelector where Value == EntityTable<Row>, Row.ID: Sendable {
        StateSelector(of: self, with: parameter, origin: ActionOrigin(file: file, line: line)) {
            parameter in
            TableFilter<Row> { isIncluded($0, parameter) }
        }
    }

    /// The rows of a table that satisfy a condition with a property of the state, in the table's
    /// order.
    ///
    /// It works like the overload with a selector.
    @inlinable
    public func filter<Row: Identifiable & Sendable, Parameter: Sendable>(
        with path: any KeyPath<State, Parameter> & Sendable,
        file: String = #fileID, line: Int = #line,
        _ isIncluded: @escaping @Sendable (_ row: Row, _ parameter: Parameter) -> Bool
    ) -> StateSelector where Value == EntityTable<Row>, Row.ID: Sendable {
        filter(
            with: StateSelector<State, Parameter>(path, file: file, line: line), file: file,
            line: line,
            isIncluded)
    }

    /// The rows of a table in an order with a parameter; equal rows keep the table's order.
    ///
    /// ```swift
    /// let list = found.sorted(with: \.sorting) { first, second, sorting in
    ///     switch sorting {
    ///     case .title: first.title < second.title
    ///     case .newest: first.date > second.date
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - parameter: The parameter, such as the field to sort by.
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - areInOrder: Whether the first row must come before the second; for each parameter a
    ///     strict weak order, pure.
    /// - Returns: The selector of the sorted table.
    /// - Complexity: Like ``sorted(by:file:line:)`` with an order; with another parameter O(*n* log
    ///   *n*).
    @inlinable
    public func sorted<Row: Identifiable & Sendable, Parameter: Sendable>(
        with parameter: StateSelector<State, Parameter>, file: String = #fileID, line: Int = #line,
        _ areInOrder:
            @escaping @Sendable (_ first: Row, _ second: Row, _ parameter: Parameter) -> Bool
    ) -> StateSelector where Value == EntityTable<Row>, Row.ID: Sendable {
        StateSelector(of: self, with: parameter, origin: ActionOrigin(file: file, line: line)) {
            parameter in
            TableSorting<Row>(RowOrder { areInOrder($0, $1, parameter) })
        }
    }

    /// The rows of a table in an order with a property of the state; equal rows keep the table's
    /// order.
    ///
    /// It works like the overload with a selector.
    @inlinable
    public func sorted<Row: Identifiable & Sendable, Parameter: Sendable>(
        with path: any KeyPath<State, Parameter> & Sendable,
        file: String = #fileID, line: Int = #line,
        _ areInOrder:
            @escaping @Sendable (_ first: Row, _ second: Row, _ parameter: Parameter) -> Bool
    ) -> StateSelector where Value == EntityTable<Row>, Row.ID: Sendable {
        sorted(
            with: StateSelector<State, Parameter>(path, file: file, line: line), file: file,
            line: line,
            areInOrder)
    }
}
