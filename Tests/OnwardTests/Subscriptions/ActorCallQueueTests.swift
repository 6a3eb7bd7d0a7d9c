// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore

@Suite struct ActorCallQueueTests {
    /// What was called in a turn, and how it ended.
    private struct Turn: Equatable {
        let opened: [Int]
        let end: String

        init(_ opened: [Int], _ end: String) {
            self.opened = opened
            self.end = end
        }
    }

    /// Makes calls until the machine says something else.
    private func turn(_ queue: inout ActorCallQueue<Int>) -> Turn {
        var opened: [Int] = []
        while true {
            switch queue.next() {
            case .make(let call): opened.append(call)
            case .hop(let isOnItsWay): return Turn(opened, isOnItsWay ? "hop is on its way" : "hop")
            case .rest: return Turn(opened, "rest")
            }
        }
    }

    private func post(_ range: ClosedRange<Int>, to queue: inout ActorCallQueue<Int>) -> [Bool] {
        range.map { queue.post($0) }
    }

    @Test
    func `the first call makes it busy, until it comes to rest`() {
        var queue = ActorCallQueue<Int>()
        #expect(post(1...2, to: &queue) == [true, false])
        #expect(queue.beginTurn() == true)
        #expect(turn(&queue) == Turn([1, 2], "rest"))
        #expect(queue.post(3) == true)
    }

    @Test
    func `one hop is on its way at a time`() {
        var queue = ActorCallQueue<Int>()
        #expect(queue.mustHop() == false)
        _ = queue.post(1)
        #expect(queue.mustHop() == true)
        #expect(queue.mustHop() == false)
        #expect(queue.beginTurnAfterHop() == true)
        #expect(queue.mustHop() == false)
        #expect(turn(&queue) == Turn([1], "rest"))
    }

    @Test
    func `a turn after a hop is bounded, and asks for the next one`() {
        var queue = ActorCallQueue<Int>()
        let size = ActorCallQueue<Int>.turn
        _ = post(1...(2 * size + 1), to: &queue)
        _ = queue.mustHop()
        for first in [1, size + 1] {
            #expect(queue.beginTurnAfterHop() == true)
            #expect(turn(&queue) == Turn(Array(first..<first + size), "hop"))
            // No other hop is sent meanwhile.
            #expect(queue.mustHop() == false)
        }
        #expect(queue.beginTurnAfterHop() == true)
        #expect(turn(&queue) == Turn([2 * size + 1], "rest"))
    }

    @Test
    func `what is posted during a turn after a hop is for the next one, also when asked for`() {
        var queue = ActorCallQueue<Int>()
        _ = queue.post(1)
        _ = queue.mustHop()
        _ = queue.beginTurnAfterHop()
        _ = queue.next()
        _ = queue.post(2)
        #expect(queue.beginTurn() == false)
        #expect(turn(&queue) == Turn([], "hop"))
    }

    @Test
    func `a dispatch on the actor opens all that waits, and what its calls dispatch there`() {
        var queue = ActorCallQueue<Int>()
        let many = 3 * ActorCallQueue<Int>.turn
        _ = post(1...many, to: &queue)
        #expect(queue.beginTurn() == true)
        for _ in 1...many { _ = queue.next() }
        _ = queue.post(1_000)
        // The last call dispatched on the actor.
        #expect(queue.beginTurn() == false)
        #expect(turn(&queue) == Turn([1_000], "rest"))
    }

    @Test
    func `what others post during a turn that was asked for is left to a hop`() {
        var queue = ActorCallQueue<Int>()
        _ = queue.post(1)
        _ = queue.beginTurn()
        _ = queue.post(2)
        #expect(turn(&queue) == Turn([1], "hop"))
        #expect(queue.beginTurnAfterHop() == true)
        #expect(turn(&queue) == Turn([2], "rest"))
    }

    @Test
    func `a hop that finds a dispatch on the actor was faster has nothing to do`() {
        var queue = ActorCallQueue<Int>()
        _ = queue.post(1)
        _ = queue.mustHop()
        _ = queue.beginTurn()
        _ = queue.post(2)
        #expect(turn(&queue) == Turn([1], "hop is on its way"))
        #expect(queue.beginTurn() == true)
        #expect(turn(&queue) == Turn([2], "rest"))
        #expect(queue.beginTurnAfterHop() == false)
    }

    @Test
    func `calls that wait for an actor that is gone are given back, but not during a turn`() {
        var queue = ActorCallQueue<Int>()
        _ = post(1...3, to: &queue)
        #expect(Array(queue.takeContents()) == [1, 2, 3])
        #expect(queue.count == 0)
        _ = post(4...5, to: &queue)
        _ = queue.beginTurn()
        #expect(queue.takeContents().isEmpty)
        #expect(turn(&queue) == Turn([4, 5], "rest"))
    }
}
