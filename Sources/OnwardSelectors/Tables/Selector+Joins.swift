// SPDX-License-Identifier: MIT

public import EntityTables
public import OnwardCore

extension StateSelector {
    /// The rows of a table, each joined with the row of another table whose id it names.
    ///
    /// ```swift
    /// let people = StateSelector<App, EntityTable<Person>>(\.people)
    /// let list = StateSelector<App, EntityTable<Todo>>(\.todos)
    ///     .joined(with: people, on: { $0.owner }) { todo, owner in
    ///         TodoLine(id: todo.id, title: todo.title, owner: owner?.name ?? "nobody")
    ///     }
    /// ```
    ///
    /// The rows are in the order of the first table. A row for which the closure returns nil is
    /// left out: return nil if the other row is nil to keep only rows that name an existing row.
    ///
    /// - Parameters:
    ///   - others: The other table. There is no overload with a key path: the compiler would have
    ///     to infer its rows together with what later steps do with the joined ones, which takes
    ///     too long.
    ///   - key: The id of the other row, `\.id` if both have the same; nil if a row names none.
    ///     Pure.
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - newRow: Makes a row with the id of the first; gets nil if the other table has no such
    ///     row. Pure, and called for rows that changed or that name a changed row.
    /// - Returns: The selector of the new rows.
    /// - Precondition: The new row has the id of the old one.
    /// - Complexity: O(*c* log² *n*) for *c* rows that changed or name a changed row; O(*n*) the
    ///   first time. Keeps the ids of each row and of the row that it names.
    @inlinable
    public func joined<
        Row: Identifiable & Sendable, Other: Identifiable & Sendable,
        NewRow: Identifiable & Sendable
    >(
        with others: StateSelector<State, EntityTable<Other>>,
        on key: @escaping @Sendable (Row) -> Other.ID?,
        file: String = #fileID, line: Int = #line,
        _ newRow: @escaping @Sendable (_ row: Row, _ other: Other?) -> NewRow?
    ) -> StateSelector<State, EntityTable<NewRow>>
    where
        Value == EntityTable<Row>, Row.ID: Sendable, Other.ID: Sendable, NewRow.ID == Row.ID
    {
        StateSelector<State, EntityTable<NewRow>>(
            TableJoin<Row, Other, NewRow>(on: key, newRow), of: self, others,
            origin: ActionOrigin(file: file, line: line))
    }
}
