// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal
import OnwardTesting
import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct ClusteredStoreTests {
    @Test func `a proposal is answered once this node's replica has it, on every node`()
        async throws
    {
        let cluster = TestCluster()
        let places = ["a", "b", "c"].map { cluster.start($0) }
        for (index, place) in (places + places).enumerated() {
            let outcome = try await cluster.propose("line \(index)", on: place)
            guard case .accepted = outcome else {
                Issue.record("line \(index) ended with \(outcome)")
                continue
            }
            #expect(place.lines.last == "line \(index)")
        }
        let lines = (0..<6).map { "line \($0)" }
        await cluster.move(until: "all show everything") {
            places.allSatisfy { $0.lines == lines }
        }
        #expect(places.count { $0.isOwning } == 1)
        await cluster.stop()
    }

    @Test func `a request is done once, on whichever node it is repeated`() async throws {
        let cluster = TestCluster()
        let (a, b) = (cluster.start("a"), cluster.start("b"))
        let request = a.ledger.newRequest()
        let first = try await cluster.propose("once", on: a, request: request)
        #expect(try await cluster.propose("once", on: b, request: request) == first)
        #expect(try await cluster.propose("once", on: a, request: request) == first)
        #expect(b.lines == ["once"])
        #expect(try await cluster.log().count == 1)
        await cluster.stop()
    }

    @Test func `middlewares decide, and what they make of an action is one append`() async throws {
        let cluster = TestCluster()
        let (a, b) = (cluster.start("a"), cluster.start("b"))
        #expect(try await cluster.propose("secret", on: a) == .withheld)
        let outcome = try await cluster.propose("one+two+secret+three", on: b)
        guard case .accepted(let version) = outcome else {
            Issue.record("it ended with \(outcome)")
            return
        }
        #expect(b.lines == ["one", "two", "three"])
        #expect(try await cluster.log().map(\.version) == [version - 2, version - 1, version])
        await cluster.stop()
    }

    @Test func `another node takes over from one that has died, and goes on`() async throws {
        let cluster = TestCluster()
        let places = ["a", "b", "c"].map { cluster.start($0) }
        _ = try await cluster.propose("before", on: places[0])
        let owner = try #require(places.first { $0.isOwning })
        let others = places.filter { $0.node !== owner.node }
        await cluster.kill(owner)
        let start = cluster.clock.now.elapsed
        let outcome = try await cluster.propose("after", on: others[0])
        guard case .accepted = outcome else {
            Issue.record("it ended with \(outcome)")
            return
        }
        #expect(cluster.clock.now.elapsed - start < .seconds(5))
        #expect(others[0].lines == ["before", "after"])
        #expect(others.count { $0.isOwning } == 1)
        await cluster.stop()
    }

    @Test func `an owner that is overtaken throws away what wasn't acknowledged`() async throws {
        let journal = BlockedJournal()
        let cluster = TestCluster(journal)
        let a = cluster.start("a")
        _ = try await cluster.propose("before", on: a)
        // What it appends from now on arrives too late.
        journal.block()
        async let late = cluster.propose("late", on: a)
        await cluster.move(until: "it is on its way") { journal.blockedCount > 0 }
        let other = Ownership(
            node: NodeID("z"), epoch: 9, fingerprint: FeatureFingerprint(rawValue: 0),
            acknowledged: .start)
        let last = try journal.base.lastPosition()
        try journal.base.append(
            [other.entry(at: last.version + 1, id: EntryID())], after: last)
        journal.unblock()
        // It isn't seen before it is done again, by an owner with the features of this log.
        let outcome = try await late
        #expect(a.ledger.status.losses > 0)
        guard case .accepted = outcome else {
            Issue.record("it ended with \(outcome)")
            return
        }
        let lines = try await cluster.log().count
        #expect(lines == 2)
        #expect(a.lines == ["before", "late"])
        await cluster.stop()
    }

    @Test func `a node that leaves hands its stores over first`() async throws {
        let cluster = TestCluster()
        let places = ["a", "b"].map { cluster.start($0) }
        _ = try await cluster.propose("before", on: places[0])
        let owner = try #require(places.first { $0.isOwning })
        let other = try #require(places.first { $0.node !== owner.node })
        let node = owner.node
        let start = cluster.clock.now.elapsed
        _ = try await cluster.result { await node.leave() }
        #expect(other.isOwning)
        #expect(cluster.clock.now.elapsed - start < .seconds(2))
        await cluster.kill(owner)
        _ = try await cluster.propose("after", on: other)
        #expect(other.lines == ["before", "after"])
        await cluster.stop()
    }

    // MARK: Effects

    @Test func `effects run at the owner alone, and what they dispatch is proposed`() async throws {
        let cluster = TestCluster()
        let places = ["a", "b", "c"].map { cluster.start($0) }
        _ = try await cluster.propose("ring", on: places[1])
        await cluster.move(until: "the echo is everywhere") {
            places.allSatisfy { $0.lines == ["ring", "echo"] }
        }
        let owner = try #require(places.first { $0.isOwning })
        #expect(cluster.doings.all == ["ring on \(owner.node.id)"])
        await cluster.stop()
    }

    @Test func `what a piece of state keeps alive starts again at a new owner`() async throws {
        let cluster = TestCluster()
        let places = ["a", "b"].map { cluster.start($0) }
        let first = places[0].ledger
        _ = try await cluster.result { await first.propose(LedgerAction.open(true)) }
        let owner = try #require(places.first { $0.isOwning })
        let other = try #require(places.first { $0.node !== owner.node })
        await cluster.move(until: "it runs, and has said so") {
            other.lines == ["opened by \(owner.node.id)"]
        }
        await cluster.kill(owner)
        await cluster.move(until: "it runs at the other one") {
            cluster.doings.all.contains("open on \(other.node.id)")
        }
        #expect(cluster.doings.all.contains("closed on \(owner.node.id)"))
        await cluster.stop()
    }

    @Test func `what is dispatched to the replica is withheld, and proposed`() async throws {
        let cluster = TestCluster()
        let (a, b) = (cluster.start("a"), cluster.start("b"))
        #expect(b.ledger.store.dispatch(LedgerAction.add("by the way")) == .withheld)
        #expect(b.lines == [])
        await cluster.move(until: "it is everywhere") {
            a.lines == ["by the way"] && b.lines == ["by the way"]
        }
        await cluster.stop()
    }

    // MARK: Trouble

    @Test func `while the journal is away, readers read, and proposals aren't answered for ever`()
        async throws
    {
        let journal = BlockedJournal()
        let cluster = TestCluster(journal) { $0.proposal = .seconds(5) }
        let a = cluster.start("a")
        _ = try await cluster.propose("before", on: a)
        journal.fail()
        let request = a.ledger.newRequest()
        let start = cluster.clock.now.elapsed
        #expect(try await cluster.propose("away", on: a, request: request) == .unanswered)
        #expect(cluster.clock.now.elapsed - start < .seconds(7))
        #expect(a.lines == ["before"])
        #expect(a.ledger.status.failure?.code == .storage)
        journal.unblock()
        let outcome = try await cluster.propose("away", on: a, request: request)
        guard case .accepted = outcome else {
            Issue.record("it ended with \(outcome)")
            return
        }
        #expect(a.lines == ["before", "away"])
        #expect(a.ledger.status.failure == nil)
        await cluster.stop()
    }

    @Test func `a node with other features shows what was before, and refuses`() async throws {
        let cluster = TestCluster()
        let a = cluster.start("a")
        _ = try await cluster.propose("before", on: a)
        let b = cluster.start("b", revision: "2")
        await cluster.move(until: "it has seen whose the store is") {
            b.ledger.status.foreign != nil
        }
        let outcome = try await cluster.propose("strange", on: b)
        guard case .refused(.foreign) = outcome else {
            Issue.record("it ended with \(outcome)")
            return
        }
        #expect(b.lines == [])
        // The old node goes, and the new one takes the store over.
        await cluster.kill(a)
        await cluster.move(until: "it owns the store") { b.isOwning }
        #expect(b.lines == ["before"])
        await cluster.stop()
    }

    @Test func `a replica begins with a snapshot, and knows which requests are done`()
        async throws
    {
        let cluster = TestCluster { $0.spacing = 4 }
        let a = cluster.start("a")
        let request = a.ledger.newRequest()
        let first = try await cluster.propose("0", on: a, request: request)
        for line in 1..<10 { _ = try await cluster.propose("\(line)", on: a) }
        await cluster.move(until: "there is a snapshot") {
            (try? await cluster.journal.snapshot(at: .max)) != nil
        }
        let b = cluster.start("b")
        await cluster.move(until: "it shows everything") { b.lines.count == 10 }
        #expect(b.lines == a.lines)
        #expect(try await cluster.propose("0", on: b, request: request) == first)
        #expect(b.lines.count == 10)
        await cluster.stop()
    }

    @Test func `a stopped node answers those who wait, and takes nothing more`() async throws {
        let cluster = TestCluster()
        let a = cluster.start("a")
        let ledger = a.ledger
        let waiting = Task { await ledger.propose(LedgerAction.add("late")) }
        await cluster.move(until: "it waits") { a.ledger.status.waiting == 1 }
        await cluster.kill(a)
        #expect(await waiting.value == .refused(.stopped))
        #expect(await ledger.propose(LedgerAction.add("later")) == .refused(.stopped))
    }
}

/// A journal that a test takes away for a while.
private final class BlockedJournal: ForwardingJournal {
    private enum State { case open, blocked, failing }
    private struct Contents {
        var state = State.open
        var callers: [CheckedContinuation<Void, Never>] = []
    }

    let base = MemoryJournal()
    private let contents = Guarded(Contents())

    var blockedCount: Int { contents.withValue { $0.callers.count } }

    /// Has appends wait.
    func block() { contents.withValue { $0.state = .blocked } }

    /// Has all calls fail.
    func fail() { contents.withValue { $0.state = .failing } }

    func unblock() {
        let callers = contents.withValue { contents in
            defer { contents.callers = [] }
            contents.state = .open
            return contents.callers
        }
        for caller in callers { caller.resume() }
    }

    private func check() throws(JournalError) {
        guard contents.withValue({ $0.state == .failing }) else { return }
        throw JournalError(.storage, "The database is away.")
    }

    func lastPosition() throws(JournalError) -> JournalPosition {
        try check()
        return try base.lastPosition()
    }

    func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) async throws(JournalError) {
        try check()
        await withCheckedContinuation { caller in
            let waits = contents.withValue { contents in
                if contents.state == .blocked { contents.callers.append(caller) }
                return contents.state == .blocked
            }
            if !waits { caller.resume() }
        }
        try base.append(entries, after: expected)
    }

    func entries(from version: CommitVersion, limit: Int) throws(JournalError) -> [JournalEntry] {
        try check()
        return try base.entries(from: version, limit: limit)
    }

    func snapshot(at version: CommitVersion) throws(JournalError) -> JournalSnapshot? {
        try check()
        return try base.snapshot(at: version)
    }
}
