// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct ClusterOverviewTests {
    @Test func `a node shows who is there, and how its stores fare`() async throws {
        let cluster = TestCluster()
        let places = [cluster.start("a"), cluster.start("b")]
        _ = try await cluster.propose("one", on: places[0])
        let owner = try #require(places.first { $0.isOwning })
        let other = try #require(places.first { !$0.isOwning })
        await cluster.move(until: "it is shown") { other.lines == ["one"] }
        let overview = other.node.overview
        #expect(overview.node == other.node.id.name)
        #expect(overview.nodes.map(\.name) == ["a", "b"])
        #expect(overview.nodes.allSatisfy { $0.isAlive })
        #expect(overview.nodes.first { $0.owned == 1 }?.name == owner.node.id.name)
        let ledger = try #require(overview.stores["ledger"])
        #expect(ledger.owner == owner.node.id.name)
        #expect(ledger.version == other.ledger.status.version)
        #expect(ledger.failure == nil)
        await cluster.stop()
    }

    @Test func `a store that watches shows a node that has died, and who took its part`()
        async throws
    {
        let cluster = TestCluster()
        let places = [cluster.start("a"), cluster.start("b")]
        _ = try await cluster.propose("one", on: places[0])
        let owner = try #require(places.first { $0.isOwning })
        let other = try #require(places.first { !$0.isOwning })
        let overview = other.node.watch(options: StoreOptions(clock: cluster.clock))
        await cluster.kill(owner)
        await cluster.move(until: "the other one is seen to own it") {
            overview.state.stores["ledger"]?.owner == other.node.id.name
        }
        #expect(
            overview.state.nodes.first { $0.name == owner.node.id.name }?.isAlive == false)
        let version = overview.version
        await cluster.move(for: .seconds(5))
        // Nothing changes, so nothing is dispatched but what a mark in the log has changed.
        #expect(overview.version <= version + 2)
        await cluster.stop()
    }
}
