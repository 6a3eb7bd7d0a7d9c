// SPDX-License-Identifier: MIT

import Testing

@testable import OnwardTesting

@Suite struct ShrinkingTests {
    private func shortest(of elements: [Int], _ fails: @escaping ([Int]) -> Bool) -> [Int] {
        var shrinking = Shrinking(fails: fails)
        return shrinking.shortest(of: elements)
    }

    @Test func `a single needed element is found among many`() {
        #expect(shortest(of: Array(0..<1_000)) { $0.contains(617) } == [617])
    }

    @Test func `needed elements far from each other stay, in their order`() {
        let elements = [3, 99, 4, 7, 98, 97, 1, 2, 96, 95, 94]
        #expect(shortest(of: elements) { Set($0).isSuperset(of: [94, 99, 97]) } == [99, 97, 94])
    }

    @Test func `two elements that are needless only together are left out`() {
        // Fails with the three, and with the one, but not with two of them.
        let isFailing = { (elements: [Int]) in
            elements.contains(1) && elements.contains(2) == elements.contains(3)
        }
        #expect(shortest(of: [1, 2, 3], isFailing) == [1])
    }

    @Test func `what fails without any element becomes empty`() {
        #expect(shortest(of: [1, 2, 3]) { _ in true } == [])
    }

    @Test func `a sequence becomes as short as any that fails`() {
        for seed in 0..<40 {
            // Fails when the sum is a multiple of a number: nothing that is monotone.
            let elements = (0..<10).map { ($0 * 7 + seed * 13) % 29 }
            let divisor = 5 + seed % 7
            let fails = { (elements: [Int]) in
                !elements.isEmpty && elements.reduce(0, +) % divisor == 0
            }
            guard fails(elements) else { continue }
            let best = (1..<1_024).filter { choice in
                fails((0..<10).filter { choice & (1 << $0) != 0 }.map { elements[$0] })
            }.map(\.nonzeroBitCount).min()
            let found = shortest(of: elements, fails)
            #expect(fails(found))
            #expect(found.count == best)
        }
    }

    @Test func `it ends when it has tried often enough`() {
        var tries = 0
        var shrinking = Shrinking<Int>(attempts: 10) { _ in
            tries += 1
            return false
        }
        #expect(shrinking.shortest(of: Array(0..<100)).count == 100)
        #expect(tries == 10)
    }

    @Test func `two elements among a hundred are found, whatever else fails`() {
        let isFailing = { (elements: [Int]) in
            Set(elements).isSuperset(of: [40, 60]) || elements.count > 50
        }
        #expect(shortest(of: Array(0..<100), isFailing) == [40, 60])
    }
}
