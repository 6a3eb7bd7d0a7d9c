// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal
import OnwardTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct ClusterNodeTests {
    @Test func `two stores of one name stop the program, which says why`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let node = ClusterNode(
                NodeID("a"), table: MemoryNodeTable(), transport: LocalTransport())
            for _ in 0..<2 {
                _ = ClusteredStore(of: 0, named: "count", in: MemoryJournal(), on: node) {
                    Reduce { (count: inout Int, _: LedgerAction) in count += 1 }
                }
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                """
                The node "a" has two stores named "count". They would take each other's messages. To fix this, \
                open each store once, and give others a name of their own.
                """))
    }

    @Test func `an owner goes on while the table of nodes can't be reached`() async throws {
        let table = FailingTable()
        let clock = ManualClock()
        var limits = ClusterLimits()
        limits.proposal = .seconds(60)
        let node = ClusterNode(
            NodeID("a"), table: table, transport: LocalTransport(), limits: limits, clock: clock)
        let store = ClusteredStore(of: 0, named: "count", in: MemoryJournal(), on: node) {
            Reduce { (count: inout Int, _: LedgerAction) in count += 1 }
        }
        let running = Task { await node.run() }
        func propose() async -> ProposalOutcome? {
            let outcome = Guarded<ProposalOutcome?>(nil)
            let task = Task {
                let answer = await store.propose(LedgerAction.open(true))
                outcome.withValue { $0 = answer }
            }
            for _ in 0..<800 where outcome.withValue({ $0 }) == nil {
                for _ in 0..<40 { await Task.yield() }
                await clock.sleepers(1)
                clock.advance(by: .milliseconds(50))
            }
            task.cancel()
            return outcome.withValue { $0 }
        }
        guard case .accepted? = await propose() else {
            Issue.record("the first one isn't accepted")
            return
        }
        table.fails.withValue { $0 = true }
        guard case .accepted? = await propose() else {
            Issue.record("the second one isn't accepted")
            return
        }
        #expect(store.store.state == 2)
        #expect(node.stores["count"]?.accepted == 2)
        running.cancel()
        await running.value
    }

    @Test func `what is no message is ignored`() async {
        let node = ClusterNode(NodeID("a"), table: MemoryNodeTable(), transport: LocalTransport())
        await node.receive([])
        await node.receive([0xFF, 0x00])
        #expect(node.stores.isEmpty)
    }
}

/// A table that a test takes away.
private final class FailingTable: NodeTable {
    let base = MemoryNodeTable()
    let fails = Guarded(false)

    func announce(_ announcement: NodeAnnouncement) throws -> [NodeAnnouncement] {
        if fails.withValue({ $0 }) { throw JournalError(.storage, "The table is away.") }
        return base.announce(announcement)
    }
}
