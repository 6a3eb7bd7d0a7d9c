// SPDX-License-Identifier: MIT

public import HashTreeCollections

/// The total of a table's rows, to which each contributes its part, in any order.
///
/// The part of each row is kept, since the log of a table says which rows changed, not what they
/// were.
@usableFromInline
package struct TableFold<
    Row: Identifiable & Sendable, Part: Sendable, Total: Sendable, Value: Sendable
>: TableDerivation where Row.ID: Sendable {
    @usableFromInline
    package struct Kept: Sendable {
        @usableFromInline var parts: TreeDictionary<Row.ID, Part> = [:]
        @usableFromInline var total: Total

        @inlinable
        init(_ total: Total) {
            self.total = total
        }
    }

    @usableFromInline let none: Total
    @usableFromInline let part: @Sendable (Row) -> Part
    @usableFromInline let add: @Sendable (inout Total, Part) -> Void
    @usableFromInline let remove: @Sendable (inout Total, Part) -> Void
    @usableFromInline let show: @Sendable (Total) -> Value

    /// A fold.
    ///
    /// - Parameters:
    ///   - none: The total of no rows.
    ///   - part: The part of a row; pure.
    ///   - add: Adds a part; the order in which parts are added does not matter.
    ///   - remove: Takes back what adding the part did, exactly.
    ///   - show: What is shown of the total.
    @inlinable
    package init(
        _ none: Total, of part: @escaping @Sendable (Row) -> Part,
        adding add: @escaping @Sendable (inout Total, Part) -> Void,
        removing remove: @escaping @Sendable (inout Total, Part) -> Void,
        showing show: @escaping @Sendable (Total) -> Value
    ) {
        self.none = none
        self.part = part
        self.add = add
        self.remove = remove
        self.show = show
    }

    @inlinable
    package func compute(_ source: EntityTable<Row>) -> Kept {
        var kept = Kept(none)
        for row in source {
            let part = part(row)
            kept.parts[row.id] = part
            add(&kept.total, part)
        }
        return kept
    }

    @inlinable
    package func follow(
        _ kept: inout Kept, since old: ChangeLog<Row.ID>, in source: EntityTable<Row>
    ) -> Bool {
        source.forEachTouched(since: old) { id in
            guard let row = source[id: id] else {
                if let old = kept.parts.removeValue(forKey: id) { remove(&kept.total, old) }
                return
            }
            let new = part(row)
            // Removed before the new one is added, so that a sum near the end of its type has room.
            if let old = kept.parts.updateValue(new, forKey: id) { remove(&kept.total, old) }
            add(&kept.total, new)
        }
    }

    @inlinable
    package func value(of kept: Kept) -> Value { show(kept.total) }
}

extension TableFold where Part == Total, Total == Value, Value: AdditiveArithmetic {
    /// The sum of a number of each row.
    @inlinable
    package init(sumOf number: @escaping @Sendable (Row) -> Value) {
        self.init(.zero, of: number, adding: { $0 += $1 }, removing: { $0 -= $1 }, showing: { $0 })
    }
}

extension TableFold
where Part == Value, Total == WholeSum<Value>, Value: FixedWidthInteger & Sendable {
    /// The sum of a whole number of each row, which has to be in the range of its type when it is
    /// read.
    @inlinable
    package init(wholeSumOf number: @escaping @Sendable (Row) -> Value) {
        self.init(
            WholeSum(), of: number, adding: { $0.add($1) }, removing: { $0.subtract($1) },
            showing: { $0.value })
    }
}

extension TableFold where Part == Double, Total == ExactSum, Value: BinaryFloatingPoint {
    /// The sum of a floating-point number of each row, without errors that add up.
    @inlinable
    package init(exactSumOf number: @escaping @Sendable (Row) -> Value) {
        self.init(
            ExactSum(), of: { Double(number($0)) }, adding: { $0.add($1) },
            removing: { $0.subtract($1) }, showing: { Value($0.value) })
    }
}
