// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardCluster

@Suite(.timeLimit(.minutes(5))) struct DurableTests {
    @Test func `durable work is done once where nothing goes wrong, though its node dies later`()
        async throws
    {
        let cluster = TestCluster()
        let places = [cluster.start("a"), cluster.start("b")]
        _ = try await cluster.propose("mail x", on: places[0])
        await cluster.move(until: "its end is in the log") {
            places.allSatisfy { $0.lines.count == 2 && $0.ledger.status.unended == 0 }
        }
        let owner = try #require(places.first { $0.isOwning })
        let other = try #require(places.first { !$0.isOwning })
        await cluster.kill(owner)
        _ = try await cluster.propose("after", on: other)
        await cluster.move(for: .seconds(5))
        #expect(other.lines == ["mail x", "sent by \(owner.node.id)", "after"])
        #expect(cluster.doings.all.count == 1)
        await cluster.stop()
    }

    @Test func `the next owner does what its node has left, under the same id`() async throws {
        let cluster = TestCluster()
        let places = [cluster.start("a"), cluster.start("b")]
        // It is never done with it.
        cluster.doings.work.withValue {
            $0 = { try await cluster.clock.sleep(for: .seconds(1_000_000)) }
        }
        _ = try await cluster.propose("mail x", on: places[0])
        await cluster.move(until: "it has begun") { cluster.doings.all.count == 1 }
        let owner = try #require(places.first { $0.isOwning })
        let other = try #require(places.first { !$0.isOwning })
        await cluster.move(until: "the other node knows of it") {
            other.ledger.status.unended == 1
        }
        cluster.doings.work.withValue { $0 = {} }
        await cluster.kill(owner)
        await cluster.move(until: "it is done") { other.lines.count == 2 }
        #expect(other.lines == ["mail x", "sent by \(other.node.id)"])
        let ids = Set(cluster.doings.all.map { $0.split(separator: " ")[2] })
        #expect(cluster.doings.all.count == 2)
        #expect(ids.count == 1)
        await cluster.move(until: "its end is in the log") {
            other.ledger.status.unended == 0
        }
        await cluster.stop()
    }

    @Test func `durable work that fails is done again, a little later`() async throws {
        let cluster = TestCluster()
        let a = cluster.start("a")
        cluster.doings.work.withValue {
            $0 = {
                if cluster.doings.all.count < 3 {
                    throw JournalError(.storage, "The mail server is away.")
                }
            }
        }
        _ = try await cluster.propose("mail x", on: a)
        let start = cluster.clock.now.elapsed
        await cluster.move(until: "it is done") { a.lines.count == 2 }
        #expect(cluster.doings.all.count == 3)
        // Half a second at least, then one at least.
        #expect(cluster.clock.now.elapsed - start >= .seconds(1.5))
        await cluster.move(until: "its end is in the log") { a.ledger.status.unended == 0 }
        await cluster.stop()
    }

    @Test func `work of an owner that is none any more can't report`() async throws {
        let journal = MemoryJournal()
        let cluster = TestCluster(journal)
        let a = cluster.start("a")
        let goes = Guarded(false)
        cluster.doings.work.withValue {
            $0 = { while !goes.withValue({ $0 }) { await Task.yield() } }
        }
        _ = try await cluster.propose("mail x", on: a)
        await cluster.move(until: "it has begun") { cluster.doings.all.count == 1 }
        let epoch = a.ledger.status.epoch
        let other = Ownership(
            node: NodeID("z"), epoch: epoch + 1, fingerprint: a.ledger.fingerprint,
            acknowledged: .start)
        let last = try journal.lastPosition()
        try journal.append(
            [other.entry(at: last.version + 1, id: EntryID())], after: last)
        await cluster.move(until: "it has lost the store") { !a.isOwning }
        goes.withValue { $0 = true }
        await cluster.move(until: "it is done again") { a.lines.count == 2 }
        await cluster.move(for: .seconds(2))
        #expect(cluster.doings.all.count == 2)
        #expect(a.lines == ["mail x", "sent by a"])
        #expect(try await cluster.log().map(\.epoch) == [epoch, epoch + 2])
        await cluster.stop()
    }
}
