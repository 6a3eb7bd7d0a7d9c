// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation
import Testing

@testable import ReSwiftRouter

@Suite("RouteWalk")
struct RouteWalkTests {
    private var walk = RouteWalk()

    @Test mutating func `Gives one step at a time, the next one on arrival`() {
        walk.go(to: ["a", "b"], animated: true)
        #expect(walk.next() == RouteWalk.Step(move: .push("a", at: 0), animated: true))
        #expect(walk.next() == nil)
        walk.arrive()
        #expect(walk.next() == RouteWalk.Step(move: .push("b", at: 1), animated: true))
        walk.arrive()
        #expect(walk.next() == nil)
    }

    @Test mutating func `A route that is set on the way is gone to afterwards, step by step`() {
        walk.go(to: ["a"], animated: true)
        #expect(walk.next() != nil)
        walk.go(to: ["a", "b"], animated: false)
        walk.go(to: ["c"], animated: true)
        var moves: [NavigationStep<String>] = []
        walk.arrive()
        while let step = walk.next() {
            moves.append(step.move)
            walk.arrive()
        }
        #expect(moves == [.push("b", at: 1), .pop("b", at: 1), .change("a", to: "c", at: 0)])
    }

    @Test mutating func `Of more routes than may wait the last one counts`() {
        walk.go(to: ["first"], animated: true)
        #expect(walk.next() != nil)
        for number in 1...5_000 { walk.go(to: ["\(number)"], animated: false) }
        var last = "first"
        var count = 0
        walk.arrive()
        while let step = walk.next() {
            guard case .change(last, let next, at: 0) = step.move else {
                Issue.record("\(step) does not follow \(last)")
                return
            }
            (last, count) = (next, count + 1)
            walk.arrive()
        }
        #expect(last == "5000")
        #expect(count == RouteWalk.limit)
    }

    @Test mutating func `The same route again is no step`() {
        walk.go(to: [], animated: true)
        #expect(walk.next() == nil)
    }
}
