// SPDX-License-Identifier: MIT

public import EntityTables
public import OnwardCore

extension Selector {
    /// The rows of a table, each put together with the row of another table that it names by its id.
    ///
    /// ```swift
    /// let people = Selector<App, EntityTable<Person>>(\.people)
    /// let list = Selector<App, EntityTable<Todo>>(\.todos)
    ///     .joined(with: people, on: { $0.owner }) { todo, owner in
    ///         TodoLine(id: todo.id, title: todo.title, owner: owner?.name ?? "nobody")
    ///     }
    /// ```
    ///
    /// The rows stand in the order of the first table. A row for which the closure returns nil is left
    /// out: return nil where `other` is nil to keep only those that name a row that is there.
    ///
    /// - Parameters:
    ///   - others: The other table. There is no form with a key path: the compiler would have to find out
    ///     its rows together with what later steps do with the joined ones, which takes it too long.
    ///   - key: The id of the other row, `\.id` where both have the same; nil where a row names none.
    ///     Pure.
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - newRow: Makes a row with the id of the first; gets nil where the other table has no such row.
    ///     Pure, and called for rows that changed, and for those that name one that did.
    /// - Returns: The selector of the new rows.
    /// - Precondition: The new row has the id of the old one.
    /// - Complexity: O(*c* log² *n*) for *c* rows that changed or name one that did; O(*n*) the first
    ///   time. Keeps the ids of each row and of the one that it names.
    @inlinable
    public func joined<
        Row: Identifiable & Sendable, Other: Identifiable & Sendable,
        NewRow: Identifiable & Sendable
    >(
        with others: Selector<State, EntityTable<Other>>,
        on key: @escaping @Sendable (Row) -> Other.ID?,
        file: String = #fileID, line: Int = #line,
        _ newRow: @escaping @Sendable (_ row: Row, _ other: Other?) -> NewRow?
    ) -> Selector<State, EntityTable<NewRow>>
    where
        Value == EntityTable<Row>, Row.ID: Sendable, Other.ID: Sendable, NewRow.ID == Row.ID
    {
        Selector<State, EntityTable<NewRow>>(
            TableJoin<Row, Other, NewRow>(on: key, newRow), of: self, others,
            origin: Origin(file: file, line: line))
    }
}
