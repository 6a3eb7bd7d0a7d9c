// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import TestSupport

struct CommitGateChainTests {
    private struct Fixed: CommitGate {
        typealias State = Int

        let isOpen: Bool
        let asked: Guarded<Int>

        func accepts(_ pending: PendingCommit) -> Bool {
            asked.withValue { $0 += 1 }
            return isOpen
        }
    }

    private func gate(
        isOpen: Bool = true, asked: Guarded<Int> = Guarded(0)
    ) -> AnyCommitGate {
        AnyCommitGate(Fixed(isOpen: isOpen, asked: asked))
    }

    private let pending = PendingCommit(
        action: Travel(replacing: 0), address: .root, origin: ActionOrigin(file: "", line: 0),
        parent: nil
    )

    @Test func `the first gate that withholds has the last word`() {
        let later = Guarded(0)
        let chain = [gate(), gate(isOpen: false), gate(asked: later)]
        #expect(!chain.accepts(pending))
        #expect(later.withValue { $0 } == 0)
        #expect([gate(), gate()].accepts(pending))
        #expect([AnyCommitGate]().accepts(pending))
    }

    @Test func `is live while none of its gates is travelled`() {
        var chain = CommitGateChain()
        let (one, other) = (gate(), gate())
        chain.add(one)
        chain.add(other)
        #expect(chain.state == .live)
        chain.reevaluate(one, .travelled)
        chain.reevaluate(other, .travelled)
        chain.reevaluate(one, .live)
        #expect(chain.state == .travelled)
        let hasLeft = chain.remove(other)
        #expect(hasLeft && chain.state == .live)
    }

    @Test func `takes a new turn whenever a gate comes, goes or changes its mind`() {
        var chain = CommitGateChain()
        let one = gate()
        var turns = [chain.turn]
        chain.add(one)
        turns.append(chain.turn)
        chain.reevaluate(one)
        turns.append(chain.turn)
        chain.reevaluate(one, .travelled)
        turns.append(chain.turn)
        _ = chain.remove(one)
        turns.append(chain.turn)
        #expect(Set(turns).count == turns.count)
    }

    @Test func `a gate that has left changes nothing`() {
        var chain = CommitGateChain()
        let one = gate()
        chain.add(one)
        let left = chain.removeAll()
        #expect(left.first === one)
        let turn = chain.turn
        let changes = [chain.remove(one), chain.reevaluate(one, .travelled)]
        #expect(changes == [false, false])
        #expect(chain.turn == turn)
        #expect(chain.isEmpty && chain.state == .live && !chain.contains(one))
    }
}
