// SPDX-License-Identifier: MIT

/// The first of the numbers of a table's rows in an order: the least, or the greatest.
///
/// The numbers of all rows are kept in that order. When the row with the first one is removed, the
/// second is known: no single change looks at all rows, whichever rows are removed.
@usableFromInline
package struct TableExtreme<Row: Identifiable & Sendable, Number: Comparable & Sendable>:
    TableDerivation
where Row.ID: Sendable {
    @usableFromInline
    struct Numbered: Identifiable, Sendable {
        @usableFromInline let id: Row.ID
        @usableFromInline let number: Number

        @inlinable
        init(id: Row.ID, number: Number) {
            self.id = id
            self.number = number
        }
    }

    @usableFromInline
    package struct Kept: Sendable {
        @usableFromInline var numbers: RowTree<Numbered>

        @inlinable
        init(_ numbers: RowTree<Numbered>) {
            self.numbers = numbers
        }
    }

    @usableFromInline let number: @Sendable (Row) -> Number
    @usableFromInline let order: RowOrder<Numbered>

    /// The first of the numbers of rows.
    ///
    /// - Parameters:
    ///   - number: The number of a row; pure. One that does not equal itself, such as `Double.nan`,
    ///     has no place in an order and is left out.
    ///   - areInOrder: Whether the first one comes before the second; a strict weak order.
    @inlinable
    package init(
        of number: @escaping @Sendable (Row) -> Number,
        by areInOrder: @escaping @Sendable (Number, Number) -> Bool
    ) {
        self.number = number
        order = RowOrder { areInOrder($0.number, $1.number) }
    }

    @inlinable
    package func compute(_ source: EntityTable<Row>) -> Kept {
        let numbers = source.compactMap(numbered).sorted(by: order.areInOrder)
        return Kept(RowTree(building: ContiguousArray(numbers)))
    }

    @inlinable
    package func follow(
        _ kept: inout Kept, since old: ChangeLog<Row.ID>, in source: EntityTable<Row>
    ) -> Bool {
        source.forEachTouched(since: old) { id in
            guard let new = source[id: id].flatMap(numbered) else {
                _ = kept.numbers.remove(id)
                return
            }
            guard kept.numbers.row(of: id)?.number != new.number else { return }
            _ = kept.numbers.remove(id)
            kept.numbers.insert(new, at: kept.numbers.position(for: new, in: order))
        }
    }

    @inlinable
    package func value(of kept: Kept) -> Number? {
        kept.numbers.count == 0 ? nil : kept.numbers[0].number
    }

    @inlinable
    func numbered(_ row: Row) -> Numbered? {
        let number = number(row)
        return number == number ? Numbered(id: row.id, number: number) : nil
    }
}
