// SPDX-License-Identifier: MIT

/// A row whose tables are sorted.
///
/// ```swift
/// struct Card: Sendable, Equatable, Codable, SortedRow {
///     let id: Int
///     var title: String
///     static let order = RowOrder<Card>(\.title)
/// }
/// var cards: EntityTable<Card> = []    // sorted, however it was made
/// ```
///
/// The order belongs to the type, so a table has it however it was made: empty, from rows, by a
/// decoder, by a replica. Among equal rows, the one last added or moved comes last: a row that
/// changes is moved if it no longer equals in the order what it was.
///
/// For a second order, or one that the user chooses, sort what is shown:
/// `cards.sorted(by: RowOrder(\.date))`, or a `StateSelector`, which follows the table. The table that a
/// selector makes is in the selector's order until it is changed itself.
public protocol SortedRow: Identifiable {
    /// The order of the rows in each table.
    ///
    /// It must stay the same while the program runs: use a `static let`.
    static var order: RowOrder<Self> { get }
}

extension EntityTable {
    /// What decides where the rows of a table stand.
    @usableFromInline
    enum Sorting: Sendable {
        /// They stay where they are put.
        case unsorted
        /// The order of the rows' type.
        case sorted(RowOrder<Element>)
        /// A derivation put them in an order of its own, although their type has one: the table is
        /// sorted as soon as a row is added or changed by other means.
        case derived
    }

    /// How a table of these rows is sorted.
    @usableFromInline
    static var declaredSorting: Sorting {
        func order<Row: SortedRow>(of type: Row.Type) -> RowOrder<Element>? {
            Row.order as? RowOrder<Element>  // `Row` is `Element`.
        }
        // Not by overloads: the types that decode or derive a table don't know what its rows are.
        guard let type = Element.self as? any SortedRow.Type, let order = order(of: type) else {
            return .unsorted
        }
        return .sorted(order)
    }
}
