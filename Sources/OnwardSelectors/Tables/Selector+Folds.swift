// SPDX-License-Identifier: MIT

public import EntityTables
public import OnwardCore

// What all rows come to together. A changed row is taken off as it was and added as it is.

extension StateSelector {
    /// The sum of a number of each row of a table.
    ///
    /// ```swift
    /// let total = StateSelector<Book, EntityTable<Expense>>(\.expenses).sum { $0.cents }
    /// ```
    ///
    /// For decimals it equals the sum of a loop; whole and floating-point numbers have overloads of
    /// their own. Other numbers that round, such as vectors of them, are rounded on the way, so
    /// their sum depends a little on which rows came and went.
    ///
    /// - Parameters:
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - number: The number of a row; pure, and called for rows that changed.
    /// - Returns: The selector of the sum; zero for no rows.
    /// - Complexity: O(*c*) for *c* changed rows on average; O(*n*) the first time. Keeps the
    ///   number of each row.
    @inlinable
    public func sum<Row: Identifiable & Sendable, Number: AdditiveArithmetic & Sendable>(
        file: String = #fileID, line: Int = #line,
        of number: @escaping @Sendable (Row) -> Number
    ) -> StateSelector<State, Number> where Value == EntityTable<Row>, Row.ID: Sendable {
        StateSelector<State, Number>(
            TableFold<Row, Number, Number, Number>(sumOf: number), of: self,
            origin: ActionOrigin(file: file, line: line))
    }

    /// The sum of a whole number of each row of a table.
    ///
    /// Only the sum itself has to be in the range of its type, whatever the partial sums are.
    ///
    /// - Complexity: O(*c*) for *c* changed rows on average; O(*n*) the first time.
    @inlinable
    public func sum<Row: Identifiable & Sendable, Number: FixedWidthInteger & Sendable>(
        file: String = #fileID, line: Int = #line,
        of number: @escaping @Sendable (Row) -> Number
    ) -> StateSelector<State, Number> where Value == EntityTable<Row>, Row.ID: Sendable {
        StateSelector<State, Number>(
            TableFold<Row, Number, WholeSum<Number>, Number>(wholeSumOf: number), of: self,
            origin: ActionOrigin(file: file, line: line))
    }

    /// The sum of a floating-point number of each row of a table, rounded once.
    ///
    /// It is the number nearest to the exact total, whatever rows came and went before: it is
    /// always the same for the same rows, and zero when all are gone. A loop may differ in the last
    /// digits because it rounds at each step. Numbers of other types are added as `Double`s: a
    /// `Float` is rounded a second time at the end, and a `Float80` loses what a `Double` can't
    /// hold.
    ///
    /// - Complexity: O(*c*) for *c* changed rows on average; O(*n*) the first time.
    @inlinable
    public func sum<Row: Identifiable & Sendable, Number: BinaryFloatingPoint & Sendable>(
        file: String = #fileID, line: Int = #line,
        of number: @escaping @Sendable (Row) -> Number
    ) -> StateSelector<State, Number> where Value == EntityTable<Row>, Row.ID: Sendable {
        StateSelector<State, Number>(
            TableFold<Row, Double, ExactSum, Number>(exactSumOf: number), of: self,
            origin: ActionOrigin(file: file, line: line))
    }

    /// The total of the rows of a table, each added when it comes and removed when it goes.
    ///
    /// ```swift
    /// let words = notes.reduced(
    ///     into: WordCounts(), adding: { $0.add($1.text) }, removing: { $0.remove($1.text) })
    /// ```
    ///
    /// - Parameters:
    ///   - nothing: The total of no rows.
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - add: Adds a row; pure. The order in which rows are added must not matter.
    ///   - remove: Removes a row as it was added; pure. The result must then be as if the row had
    ///     never been there, so don't add and subtract floating-point numbers here: `sum` does that
    ///     without a trace.
    /// - Returns: The selector of the result.
    /// - Complexity: O(*c*) calls for *c* changed rows; O(*n*) the first time. Keeps each row as it
    ///   was added.
    @inlinable
    public func reduced<Row: Identifiable & Sendable, Total: Sendable>(
        into nothing: Total, file: String = #fileID, line: Int = #line,
        adding add: @escaping @Sendable (_ total: inout Total, _ row: Row) -> Void,
        removing remove: @escaping @Sendable (_ total: inout Total, _ row: Row) -> Void
    ) -> StateSelector<State, Total> where Value == EntityTable<Row>, Row.ID: Sendable {
        StateSelector<State, Total>(
            TableFold<Row, Row, Total, Total>(
                nothing, of: { $0 }, adding: add, removing: remove, showing: { $0 }),
            of: self, origin: ActionOrigin(file: file, line: line))
    }

    /// The minimum of a number of each row of a table; nil for no rows.
    ///
    /// For the row itself, use the first row of ``sorted(by:file:line:)``.
    ///
    /// - Parameters:
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - number: The number of a row; pure, and called for rows that changed. One that does not
    ///     equal itself, such as `Double.nan`, is left out.
    /// - Returns: The selector of the minimum.
    /// - Complexity: O(log *n*) for a changed row, even if the row with the minimum is removed;
    ///   O(*n* log *n*) the first time. Keeps the number of each row.
    @inlinable
    public func min<Row: Identifiable & Sendable, Number: Comparable & Sendable>(
        file: String = #fileID, line: Int = #line,
        of number: @escaping @Sendable (Row) -> Number
    ) -> StateSelector<State, Number?> where Value == EntityTable<Row>, Row.ID: Sendable {
        StateSelector<State, Number?>(
            TableExtreme<Row, Number>(of: number, by: { $0 < $1 }), of: self,
            origin: ActionOrigin(file: file, line: line))
    }

    /// The maximum of a number of each row of a table; nil for no rows.
    ///
    /// It works like the minimum.
    @inlinable
    public func max<Row: Identifiable & Sendable, Number: Comparable & Sendable>(
        file: String = #fileID, line: Int = #line,
        of number: @escaping @Sendable (Row) -> Number
    ) -> StateSelector<State, Number?> where Value == EntityTable<Row>, Row.ID: Sendable {
        StateSelector<State, Number?>(
            TableExtreme<Row, Number>(of: number, by: { $0 > $1 }), of: self,
            origin: ActionOrigin(file: file, line: line))
    }
}
