// SPDX-License-Identifier: MIT

import Testing

@testable import OnwardBridge

@Suite("MainTurns")
struct MainTurnsTests {
    /// The machine in a class, whose functions an expectation can call.
    private final class Driver {
        private var turns = MainTurns<Int>()

        var count: Int { turns.count }
        var isIdle: Bool { turns.isIdle }

        @discardableResult
        func add(_ turn: Int) -> Bool { turns.add(turn) }
        func mustHop() -> Bool { turns.mustHop() }
        func open(afterHop: Bool) -> Bool { turns.open(afterHop: afterHop) }

        /// Replaces the last turn if no more may wait.
        func join(_ turn: Int, limit: Int) -> Bool {
            turns.join(limit: limit) { last in
                last = turn
                return true
            }
        }

        /// The turns that are made until the machine stops.
        func made() -> (turns: [Int], mustHop: Bool?) {
            var made: [Int] = []
            while true {
                switch turns.next() {
                case .make(let turn): made.append(turn)
                case .later(let mustHop): return (made, mustHop)
                case .rest: return (made, nil)
                }
            }
        }
    }

    private let turns = Driver()

    @Test func `One hop is sent for what waits, and makes it in order`() {
        #expect(turns.isIdle)
        #expect(turns.add(1))
        #expect(turns.mustHop())
        #expect(!turns.add(2))
        #expect(!turns.mustHop())
        #expect(turns.open(afterHop: true))
        #expect(turns.made() == ([1, 2], nil))
        #expect(turns.isIdle)
    }

    @Test func `Taking before the hop takes all, and the hop finds nothing`() {
        turns.add(1)
        #expect(turns.mustHop())
        #expect(turns.open(afterHop: false))
        #expect(!turns.open(afterHop: false))
        #expect(turns.made() == ([1], nil))
        #expect(!turns.open(afterHop: true))
        #expect(turns.add(2))
        #expect(turns.mustHop())
    }

    @Test func `After a hop 64 are made, and the rest after another one`() {
        for turn in 0..<100 { turns.add(turn) }
        #expect(turns.mustHop())
        #expect(turns.open(afterHop: true))
        #expect(turns.made() == (Array(0..<64), true))
        #expect(!turns.isIdle)
        #expect(!turns.mustHop())
        #expect(turns.open(afterHop: true))
        #expect(turns.made() == (Array(64..<100), nil))
    }

    @Test func `Without a hop all that waits is made, what comes meanwhile after a hop`() {
        for turn in 0..<100 { turns.add(turn) }
        #expect(turns.open(afterHop: false))
        turns.add(100)
        #expect(!turns.mustHop())
        #expect(turns.made() == (Array(0..<100), true))
    }

    @Test func `A turn joins the last one when no more may wait`() {
        turns.add(1)
        #expect(!turns.join(9, limit: 2))
        turns.add(2)
        #expect(turns.join(3, limit: 2))
        #expect(turns.count == 2)
        #expect(turns.open(afterHop: false))
        #expect(turns.made() == ([1, 3], nil))
    }
}
