// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore

extension ActorCallQueue {
    /// Adds a call where there is room.
    fileprivate mutating func post(_ call: Call) -> Bool {
        var replaced: Call?
        return post(call, of: 0, limit: .max, replacing: &replaced, join: { _, _ in nil })
    }
}

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

    /// Posts calls of subscribers that are numbered by their tens, joined to the later one.
    private func many(
        _ calls: [Int], into queue: inout ActorCallQueue<Int>, limit: Int
    ) -> [Int?] {
        calls.map { call in
            var replaced: Int?
            _ = queue.post(
                call, of: UInt64(call / 10), limit: limit, replacing: &replaced,
                join: { _, later in later % 10 == 9 ? nil : later })
            return replaced
        }
    }

    @Test
    func `behind as many calls as the limit says, those of a subscriber are joined`() {
        var queue = ActorCallQueue<Int>()
        #expect(
            many([10, 20, 11, 12, 21, 13, 22], into: &queue, limit: 2) == [
                nil, nil, nil, 11, nil, 12, 21,
            ])
        _ = queue.beginTurn()
        #expect(turn(&queue) == Turn([10, 20, 13, 22], "rest"))
    }

    @Test
    func `a call that can't be joined, or whose turn has come, gets no other`() {
        var queue = ActorCallQueue<Int>()
        #expect(many([10, 11, 19, 12], into: &queue, limit: 1) == [nil, nil, nil, 19])
        _ = queue.beginTurn()
        for _ in 1...3 { _ = queue.next() }
        // Nothing waits, so nothing is joined.
        #expect(many([13], into: &queue, limit: 0) == [nil])
        _ = queue.beginTurn()
        #expect(turn(&queue) == Turn([13], "rest"))
    }

    @Test
    func `what came when there was room is not joined with what came before`() {
        var queue = ActorCallQueue<Int>()
        _ = many([20, 10], into: &queue, limit: 1)
        _ = queue.beginTurn()
        _ = queue.next()
        #expect(many([11], into: &queue, limit: 2) == [nil])
        // Joined with the first of them, it would overtake the second.
        #expect(many([12], into: &queue, limit: 1) == [nil])
        _ = queue.beginTurn()
        #expect(turn(&queue) == Turn([10, 11, 12], "rest"))
    }

    @Test
    func `a delivery on the actor may call directly where nothing waits and no turn runs`() {
        var queue = ActorCallQueue<Int>()
        #expect(queue.beginDirectTurn() == true)
        #expect(queue.beginDirectTurn() == nil)
        #expect(queue.post(1) == false)
        #expect(turn(&queue) == Turn([], "hop"))
        #expect(queue.beginDirectTurn() == false)
        #expect(turn(&queue) == Turn([1], "rest"))
        #expect(queue.beginTurnAfterHop() == false)
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
