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
        let cluster = TestCluster(table: table)
        let a = cluster.start("a")
        _ = try await cluster.propose("before", on: a)
        table.fails.withValue { $0 = true }
        // For longer than a silent node is taken for living.
        await cluster.move(for: .seconds(5))
        let begin = cluster.clock.now.elapsed
        let outcome = try await cluster.propose("after", on: a)
        guard case .accepted = outcome else {
            Issue.record("it ended with \(outcome)")
            return
        }
        #expect(cluster.clock.now.elapsed - begin < .seconds(1))
        #expect(a.lines == ["before", "after"])
        #expect(a.ledger.status.losses == 0)
        await cluster.stop()
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
