// SPDX-License-Identifier: MIT

import Testing

@testable import EntityTables
@testable import struct TestSupport.SeededGenerator

@Suite struct ExactSumTests {
    @Test
    func `is the number nearest to the exact sum, not what a loop gives`() {
        let next = Double(1).nextUp
        #expect(sum([0.1, 0.2, 0.3, -0.3, -0.2, -0.1]) == 0)
        #expect(sum([1e100, 1, -1e100]) == 1)
        #expect(sum(Array(repeating: 0.1, count: 10)) == 1)
        #expect(sum([1, 0x1p-53]) == 1)
        #expect(sum([1, 0x1p-53, 0x1p-1074]) == next)
        #expect(sum([next, 0x1p-53]) == next.nextUp)
    }

    @Test
    func `holds the smallest and the greatest numbers, and sums beyond them`() {
        let (least, greatest) = (Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude)
        #expect(sum([least, greatest, -greatest]) == least)
        #expect(sum([greatest, greatest]) == .infinity)
        #expect(sum([greatest, greatest, -greatest]) == greatest)
        #expect(sum([-least, -least]) == -2 * least)
        #expect(sum([-0.0]).sign == .plus)
    }

    @Test(arguments: 1...20)
    func `depends on which numbers are in it, not on how they came there`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (walked, there) = (ExactSum(), [Double]())
        for _ in 0..<500 {
            if !there.isEmpty, Bool.random(using: &random) {
                walked.subtract(there.remove(at: Int.random(in: 0..<there.count, using: &random)))
            } else {
                let exponent = Int.random(in: -300..<300, using: &random)
                let digits = Double.random(in: -1..<1, using: &random)
                let number = Double(sign: .plus, exponent: exponent, significand: digits)
                walked.add(number)
                there.append(number)
            }
            #expect(walked.value == sum(there.shuffled(using: &random)))
        }
    }

    private func sum(_ numbers: [Double]) -> Double {
        var sum = ExactSum()
        for number in numbers { sum.add(number) }
        return sum.value
    }
}
