// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import OnwardDiagnostics
@testable import TestSupport

@Suite struct VersionOrderTests {
    @Test func `calls one after the other report at once`() {
        var order = VersionOrder<String>(limit: 10)
        for version in 1...3 as ClosedRange<CommitVersion> {
            order.end(order.begin(), at: version, "\(version)")
            #expect(order.take() == ["\(version)"])
        }
    }

    @Test func `an answer waits for the action that it answers`() {
        var order = VersionOrder<String>(limit: 10)
        let action = order.begin()
        order.end(order.begin(), at: 2, "answer")
        #expect(order.take() == [])
        order.end(action, at: 1, "action")
        #expect(order.take() == ["action", "answer"])
    }

    @Test func `a call that began after a version was over does not hold it back`() {
        var order = VersionOrder<String>(limit: 10)
        let (first, second) = (order.begin(), order.begin())
        order.end(first, at: 2, "second")
        let third = order.begin()
        order.end(second, at: 1, "first")
        #expect(order.take() == ["first", "second"])
        order.end(third, at: 3, "third")
        #expect(order.take() == ["third"])
    }

    @Test func `a call without version comes after what was over before it`() {
        var order = VersionOrder<String>(limit: 10)
        let (first, second, third) = (order.begin(), order.begin(), order.begin())
        order.end(first, at: 2, "two")
        order.end(second, at: nil, "refused")
        order.end(third, at: 1, "one")
        #expect(order.take() == ["one", "two", "refused"])
    }

    @Test func `no more than the limit wait for a call that does not end`() {
        var order = VersionOrder<String>(limit: 2)
        _ = order.begin()
        for version in 1...5 as ClosedRange<CommitVersion> {
            order.end(order.begin(), at: version, "\(version)")
        }
        #expect(order.take() == ["1", "2", "3"])
        #expect(order.take() == [])
    }

    @Test func `whatever the order in which calls begin and end, versions come in order`() {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var order = VersionOrder<CommitVersion>(limit: .max)
            var running: [Int] = []
            var committed: [(call: Int, version: CommitVersion)] = []
            var (version, taken): (CommitVersion, [CommitVersion]) = (0, [])
            for _ in 0..<100 {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: running.append(order.begin())
                case 1 where !running.isEmpty:
                    version += 1
                    let place = running.indices.randomElement(using: &random) ?? 0
                    committed.append((running.remove(at: place), version))
                case 2 where !committed.isEmpty:
                    let place = committed.indices.randomElement(using: &random) ?? 0
                    let (call, version) = committed.remove(at: place)
                    order.end(call, at: version, version)
                    taken += order.take()
                default: break
                }
            }
            for call in running { order.end(call, at: nil, 0) }
            for (call, version) in committed { order.end(call, at: version, version) }
            taken += order.take().filter { $0 > 0 }
            #expect(taken == Array((0...version).dropFirst()))
        }
    }
}
