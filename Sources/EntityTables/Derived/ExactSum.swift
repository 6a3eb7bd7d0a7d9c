// SPDX-License-Identifier: MIT

/// A sum of `Double`s without rounding: what was added and taken back leaves no trace.
///
/// Problem: a running sum rounds at each step, so it depends on the way that led to it, and after
/// everything was taken away, something is left.
///
/// Strategy: each finite number is a whole multiple of the least one, 2⁻¹⁰⁷⁴, so the sum is kept as
/// a whole number of those, in two's complement. Only ``value`` rounds, once, to the nearest, ties
/// to even.
///
/// ```
/// words[0]                                words[33]
/// bit 0 = 2⁻¹⁰⁷⁴ …   bit 1074 = 1 …   bit 2097 = the highest bit of the greatest number, … sign
/// ```
///
/// Above the greatest number there is room for 2⁷⁷ of it.
@usableFromInline
package struct ExactSum: Sendable {
    /// The whole number, lowest word first; empty while nothing but zeros was added.
    private var words: ContiguousArray<UInt64> = []
    private var nans = 0
    private var infinities = 0
    private var negativeInfinities = 0

    private static var wordCount: Int { 34 }

    @usableFromInline
    package init() {}

    /// Adds a number.
    ///
    /// - Complexity: O(1).
    @usableFromInline
    package mutating func add(_ number: Double) {
        guard number.isFinite else { return countSpecial(number, by: 1) }
        apply(number, isMinus: number.sign == .minus)
    }

    /// Takes away a number that was added.
    ///
    /// - Complexity: O(1).
    @usableFromInline
    package mutating func subtract(_ number: Double) {
        guard number.isFinite else { return countSpecial(number, by: -1) }
        apply(number, isMinus: number.sign == .plus)
    }

    /// The `Double` nearest to the sum; infinite or not a number if an exact sum of the numbers
    /// is.
    @usableFromInline
    package var value: Double {
        if nans > 0 || infinities > 0 && negativeInfinities > 0 { return .nan }
        if infinities > 0 { return .infinity }
        if negativeInfinities > 0 { return -.infinity }
        return finiteValue
    }

    private mutating func countSpecial(_ number: Double, by step: Int) {
        if number.isNaN {
            nans += step
        } else if number > 0 {
            infinities += step
        } else {
            negativeInfinities += step
        }
    }

    private mutating func apply(_ number: Double, isMinus: Bool) {
        guard number != 0 else { return }
        if words.isEmpty { words = ContiguousArray(repeating: 0, count: Self.wordCount) }
        // A subnormal number is as many of the least as its pattern says, and has the position of
        // the smallest normal one.
        let isSubnormal = number.exponentBitPattern == 0
        let position = isSubnormal ? 0 : Int(number.exponentBitPattern) - 1
        let digits = number.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
        let (word, shift) = (position >> 6, UInt64(position & 63))
        let low = digits << shift
        let high = shift == 0 ? 0 : digits >> (64 - shift)
        var isCarried = change(word, by: low, isMinus: isMinus)
        // `high` has 52 bits at most, so one more does not overflow it.
        isCarried = change(word + 1, by: high + (isCarried ? 1 : 0), isMinus: isMinus)
        var next = word + 2
        while isCarried, next < Self.wordCount {
            isCarried = change(next, by: 1, isMinus: isMinus)
            next += 1
        }
    }

    /// Adds to one word or takes from it; whether one is to be carried to the next, or borrowed
    /// from it.
    private mutating func change(_ word: Int, by amount: UInt64, isMinus: Bool) -> Bool {
        let (changed, isCarried) =
            isMinus
            ? words[word].subtractingReportingOverflow(amount)
            : words[word].addingReportingOverflow(amount)
        words[word] = changed
        return isCarried
    }

    private var finiteValue: Double {
        guard let lowest = words.firstIndex(where: { $0 != 0 }) else { return 0 }
        let isMinus = words[Self.wordCount - 1] >> 63 == 1
        // The amount without the sign, a word at a time: the complement, and one.
        func amount(_ word: Int) -> UInt64 {
            guard isMinus, word >= lowest else { return words[word] }
            return word == lowest ? ~words[word] &+ 1 : ~words[word]
        }
        var top = Self.wordCount - 1
        while amount(top) == 0 { top -= 1 }
        let length = 64 * top + 64 - amount(top).leadingZeroBitCount
        let sign: FloatingPointSign = isMinus ? .minus : .plus
        guard length > 53 else {
            return Double(sign: sign, exponent: -1_074, significand: Double(amount(0)))
        }
        let dropped = length - 53
        let (word, shift) = (dropped >> 6, UInt64(dropped & 63))
        var digits = amount(word) >> shift
        if shift > 11 { digits |= amount(word + 1) << (64 - shift) }
        digits &= 1 << 53 - 1
        let half = dropped - 1
        let isHalf = amount(half >> 6) >> UInt64(half & 63) & 1 == 1
        if isHalf {
            let below = amount(half >> 6) & (1 << UInt64(half & 63) - 1)
            let isMore = below != 0 || lowest < half >> 6
            if isMore || digits & 1 == 1 { digits += 1 }
        }
        return Double(sign: sign, exponent: dropped - 1_074, significand: Double(digits))
    }
}
