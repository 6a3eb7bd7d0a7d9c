// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import TestSupport

struct TimelineChainTests {
    private struct Fixed: Timeline {
        typealias State = Int

        let decision: TimelineDecision
        let asked: Guarded<Int>

        func decide(_ pending: PendingCommit) -> TimelineDecision {
            asked.withValue { $0 += 1 }
            return decision
        }
    }

    private func timeline(
        _ decision: TimelineDecision = .accept, asked: Guarded<Int> = Guarded(0)
    ) -> AnyTimeline {
        AnyTimeline(Fixed(decision: decision, asked: asked))
    }

    private let pending = PendingCommit(
        action: Travel(), address: .root, origin: Origin(file: "", line: 0), parent: nil)

    @Test func `the first timeline that withholds has the last word`() {
        let later = Guarded(0)
        let chain = [timeline(), timeline(.withhold), timeline(asked: later)]
        #expect(chain.decide(pending) == .withhold)
        #expect(later.withValue { $0 } == 0)
        #expect([timeline(), timeline()].decide(pending) == .accept)
        #expect([AnyTimeline]().decide(pending) == .accept)
    }

    @Test func `is live while none of its timelines is travelled`() {
        var chain = TimelineChain()
        let (one, other) = (timeline(), timeline())
        chain.add(one)
        chain.add(other)
        #expect(chain.state == .live)
        chain.reconsider(one, .travelled)
        chain.reconsider(other, .travelled)
        chain.reconsider(one, .live)
        #expect(chain.state == .travelled)
        let hasLeft = chain.remove(other)
        #expect(hasLeft && chain.state == .live)
    }

    @Test func `takes a new turn whenever a timeline comes, goes or changes its mind`() {
        var chain = TimelineChain()
        let one = timeline()
        var turns = [chain.turn]
        chain.add(one)
        turns.append(chain.turn)
        chain.reconsider(one)
        turns.append(chain.turn)
        chain.reconsider(one, .travelled)
        turns.append(chain.turn)
        _ = chain.remove(one)
        turns.append(chain.turn)
        #expect(Set(turns).count == turns.count)
    }

    @Test func `a timeline that has left changes nothing`() {
        var chain = TimelineChain()
        let one = timeline()
        chain.add(one)
        let left = chain.removeAll()
        #expect(left.first === one)
        let turn = chain.turn
        let changes = [chain.remove(one), chain.reconsider(one, .travelled)]
        #expect(changes == [false, false])
        #expect(chain.turn == turn)
        #expect(chain.isEmpty && chain.state == .live && !chain.contains(one))
    }
}
