// SPDX-License-Identifier: MIT

/// A sum of whole numbers that may leave the range of its type on the way and come back.
///
/// Rows change one after the other, so that a sum which fits before and after may not fit in between:
/// what does not fit is counted as laps around the type's range.
@usableFromInline
package struct WholeSum<Number: FixedWidthInteger & Sendable>: Sendable {
    @usableFromInline var number: Number = 0
    @usableFromInline var laps = 0

    @inlinable
    package init() {}

    /// Adds a number.
    @inlinable
    package mutating func add(_ amount: Number) {
        let (sum, isLap) = number.addingReportingOverflow(amount)
        number = sum
        if isLap { laps += amount < 0 ? -1 : 1 }
    }

    /// Takes away a number that was added.
    @inlinable
    package mutating func subtract(_ amount: Number) {
        let (difference, isLap) = number.subtractingReportingOverflow(amount)
        number = difference
        if isLap { laps -= amount < 0 ? -1 : 1 }
    }

    /// The sum.
    ///
    /// - Precondition: It is in the range of its type.
    @inlinable
    package var value: Number {
        if laps != 0 { fatalError(EntityTableMistake.sumOutOfRange(Number.self)) }
        return number
    }
}
