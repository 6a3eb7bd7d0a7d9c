// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal
import OnwardTesting
import Testing

#if Server
import MetricsTestKit
#endif

@Suite(.timeLimit(.minutes(2))) struct ClusterFiguresTests {
    @Test func `a node counts what it has and owns, and how proposals end`() async throws {
        let cluster = TestCluster()
        let (a, b) = (cluster.start("a"), cluster.start("b"))
        _ = try await cluster.propose("one", on: a)
        _ = try await cluster.propose("secret", on: a)
        _ = try await cluster.result {
            await a.ledger.propose(LedgerAction.add("late"), ifUnchangedSince: 0)
        }
        await cluster.move(until: "both show everything") { b.lines == ["one"] }
        let (first, second) = (a.node.figures, b.node.figures)
        #expect(first.accepted == 1)
        #expect(first.withheld == 1)
        #expect(first.refused == ["outdated": 1])
        #expect(second.accepted == 0)
        #expect(second.refused.isEmpty)
        #expect(first.nodes == 2)
        #expect([first.stores, second.stores] == [1, 1])
        #expect(first.owned + second.owned == 1)
        #expect([first.lag, second.lag] == [0, 0])
        #expect([first.waiting, first.unreachable] == [0, 0])
        await cluster.stop()
    }

    @Test func `a proposal that nobody answers is counted each time that it is sent again`()
        async throws
    {
        let cluster = TestCluster()
        let places = [cluster.start("a"), cluster.start("b")]
        _ = try await cluster.propose("before", on: places[0])
        let owner = try #require(places.first { $0.isOwning })
        let other = try #require(places.first { !$0.isOwning })
        let before = other.node.figures.retries
        await cluster.kill(owner)
        _ = try await cluster.propose("after", on: other)
        #expect(other.node.figures.retries > before)
        await cluster.stop()
    }

    #if Server
    @Test func `figures are reported every second, each proposal once`() async throws {
        let cluster = TestCluster()
        let a = cluster.start("a")
        let metrics = TestMetrics()
        _ = try await cluster.propose("one", on: a)
        _ = try await cluster.propose("two", on: a)
        let reporting = Task { await a.node.report(to: metrics) }
        await cluster.move(until: "it is reported") {
            (try? metrics.expectMeter("onward_cluster_lag"))?.values.isEmpty == false
        }
        _ = try await cluster.propose("secret", on: a)
        await cluster.move(until: "it is reported again") {
            (try? metrics.expectMeter("onward_cluster_lag").values.count) ?? 0 > 2
        }
        reporting.cancel()
        await reporting.value
        func proposals(_ outcome: String) throws -> Int64 {
            try metrics.expectCounter("onward_cluster_proposals", [("outcome", outcome)]).totalValue
        }
        #expect(try proposals("accepted") == 2)
        #expect(try proposals("withheld") == 1)
        #expect(try metrics.expectMeter("onward_cluster_owned_stores").lastValue == 1)
        #expect(try metrics.expectMeter("onward_cluster_nodes").lastValue == 1)
        await cluster.stop()
    }
    #endif
}
