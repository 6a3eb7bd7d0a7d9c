// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore

@Suite struct LettersTests {
    /// What was opened in a turn, and how it ended.
    private struct Turn: Equatable {
        let opened: [Int]
        let end: String

        init(_ opened: [Int], _ end: String) {
            self.opened = opened
            self.end = end
        }
    }

    /// Opens letters until the machine says something else.
    private func turn(_ letters: inout Letters<Int>) -> Turn {
        var opened: [Int] = []
        while true {
            switch letters.next() {
            case .open(let letter): opened.append(letter)
            case .hop(let isOnItsWay): return Turn(opened, isOnItsWay ? "hop is on its way" : "hop")
            case .rest: return Turn(opened, "rest")
            }
        }
    }

    private func post(_ range: ClosedRange<Int>, to letters: inout Letters<Int>) -> [Bool] {
        range.map { letters.post($0) }
    }

    @Test
    func `the first letter makes it busy, until it comes to rest`() {
        var letters = Letters<Int>()
        #expect(post(1...2, to: &letters) == [true, false])
        #expect(letters.open() == true)
        #expect(turn(&letters) == Turn([1, 2], "rest"))
        #expect(letters.post(3) == true)
    }

    @Test
    func `one hop is on its way at a time`() {
        var letters = Letters<Int>()
        #expect(letters.mustHop() == false)
        _ = letters.post(1)
        #expect(letters.mustHop() == true)
        #expect(letters.mustHop() == false)
        #expect(letters.openAfterHop() == true)
        #expect(letters.mustHop() == false)
        #expect(turn(&letters) == Turn([1], "rest"))
    }

    @Test
    func `a turn after a hop is bounded, and asks for the next one`() {
        var letters = Letters<Int>()
        let size = Letters<Int>.turn
        _ = post(1...(2 * size + 1), to: &letters)
        _ = letters.mustHop()
        for first in [1, size + 1] {
            #expect(letters.openAfterHop() == true)
            #expect(turn(&letters) == Turn(Array(first..<first + size), "hop"))
            // Nobody else hops meanwhile.
            #expect(letters.mustHop() == false)
        }
        #expect(letters.openAfterHop() == true)
        #expect(turn(&letters) == Turn([2 * size + 1], "rest"))
    }

    @Test
    func `what is posted during a turn after a hop is for the next one, also when asked for`() {
        var letters = Letters<Int>()
        _ = letters.post(1)
        _ = letters.mustHop()
        _ = letters.openAfterHop()
        _ = letters.next()
        _ = letters.post(2)
        #expect(letters.open() == false)
        #expect(turn(&letters) == Turn([], "hop"))
    }

    @Test
    func `a dispatch on the actor opens all that waits, and what its calls dispatch there`() {
        var letters = Letters<Int>()
        let many = 3 * Letters<Int>.turn
        _ = post(1...many, to: &letters)
        #expect(letters.open() == true)
        for _ in 1...many { _ = letters.next() }
        _ = letters.post(1_000)
        // The last call dispatched on the actor.
        #expect(letters.open() == false)
        #expect(turn(&letters) == Turn([1_000], "rest"))
    }

    @Test
    func `what others post during a turn that was asked for is left to a hop`() {
        var letters = Letters<Int>()
        _ = letters.post(1)
        _ = letters.open()
        _ = letters.post(2)
        #expect(turn(&letters) == Turn([1], "hop"))
        #expect(letters.openAfterHop() == true)
        #expect(turn(&letters) == Turn([2], "rest"))
    }

    @Test
    func `a hop that finds a dispatch on the actor was faster has nothing to do`() {
        var letters = Letters<Int>()
        _ = letters.post(1)
        _ = letters.mustHop()
        _ = letters.open()
        _ = letters.post(2)
        #expect(turn(&letters) == Turn([1], "hop is on its way"))
        #expect(letters.open() == true)
        #expect(turn(&letters) == Turn([2], "rest"))
        #expect(letters.openAfterHop() == false)
    }

    @Test
    func `what waits for an actor that is gone is given away, but not during a turn`() {
        var letters = Letters<Int>()
        _ = post(1...3, to: &letters)
        #expect(Array(letters.surrender()) == [1, 2, 3])
        #expect(letters.count == 0)
        _ = post(4...5, to: &letters)
        _ = letters.open()
        #expect(letters.surrender().isEmpty)
        #expect(turn(&letters) == Turn([4, 5], "rest"))
    }
}
