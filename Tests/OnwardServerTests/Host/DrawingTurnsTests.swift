// SPDX-License-Identifier: MIT
#if Server

import Onward
import Testing

@testable import OnwardServer

@Suite(.timeLimit(.minutes(1))) struct `Turns to have a document drawn` {
    private static let (ann, bob) = (
        ClientAddress(forwarded: "192.0.2.1"), ClientAddress(forwarded: "192.0.2.2")
    )

    @Test func `an address has its number at once, and others don't wait for it`() async throws {
        let (ann, bob) = (try #require(Self.ann), try #require(Self.bob))
        let turns = DrawingTurns(limit: 2)
        await turns.begin(of: ann)
        await turns.begin(of: ann)
        await turns.begin(of: bob)
        let order = Guarded<[String]>([])
        let third = Task {
            await turns.begin(of: ann)
            order.withValue { $0.append("third") }
        }
        await turns.begin(of: bob)
        order.withValue { $0.append("bob") }
        turns.end(of: ann)
        await third.value
        #expect(order.withValue { $0 } == ["bob", "third"])
    }

    @Test func `whatever comes and goes, no more are drawn at a time, and all get their turn`()
        async throws
    {
        let ann = try #require(Self.ann)
        let turns = DrawingTurns(limit: 3)
        let counts = Guarded((now: 0, most: 0, all: 0))
        await withTaskGroup { group in
            for _ in 0..<500 {
                group.addTask {
                    await turns.begin(of: ann)
                    counts.withValue { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
                    await Task.yield()
                    counts.withValue { $0.now -= 1 }
                    turns.end(of: ann)
                }
            }
        }
        let (now, most, all) = counts.withValue { $0 }
        #expect(now == 0)
        #expect((1...3).contains(most))
        #expect(all == 500)
    }
}
#endif
