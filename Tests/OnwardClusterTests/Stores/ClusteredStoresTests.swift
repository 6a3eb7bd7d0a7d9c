// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal
import Testing

@Suite(.timeLimit(.minutes(2))) struct ClusteredStoresTests {
    private let cluster = TestCluster()
    private let journals = LentJournals()

    private func stores(on place: TestCluster.Place) -> ClusteredStores<Ledger> {
        ClusteredStores(of: Ledger(), named: "ledgers", on: place.node, idle: .seconds(2)) {
            [journals] name in
            journals.lend(name)
        } features: {
            Reduce { (ledger: inout Ledger, action: LedgerAction) in
                if case .add(let line) = action { ledger.lines.append(line) }
            }
        }
    }

    private func propose(
        _ line: String, to store: ClusteredStore<Ledger>
    ) async throws -> ProposalOutcome {
        try await cluster.result { await store.propose(LedgerAction.add(line)) }
    }

    @Test func `a store that nobody needs is closed, and opened again for another node's proposal`()
        async throws
    {
        let (a, b) = (cluster.start("a"), cluster.start("b"))
        let (atA, atB) = (stores(on: a), stores(on: b))
        let first = try await atA.open("7")
        await cluster.move(until: "it is read") { first.status.hasCaughtUp }
        // Nobody owns it yet: one of the nodes is asked, whether it has the store open or not.
        #expect(try await propose("pear", to: first).isAccepted)
        let owner = try #require(first.status.owner)
        #expect(first.store.state.lines == ["pear"])
        await atA.close("7")
        await cluster.move(until: "both have closed it") {
            a.node.stores["ledgers/7"] == nil && b.node.stores["ledgers/7"] == nil
        }
        // The one that doesn't own it opens it; the owner is there, and opens it for its proposal.
        let other = owner == a.node.id ? atB : atA
        let second = try await other.open("7")
        await cluster.move(until: "it is read again") { second.store.state.lines == ["pear"] }
        #expect(try await propose("plum", to: second).isAccepted)
        #expect(second.status.owner == owner)
        #expect(second.store.state.lines == ["pear", "plum"])
        await cluster.stop()
    }

    @Test func `a store that is in use stays, and is the same for all who open it`() async throws {
        let a = cluster.start("a")
        let stores = stores(on: a)
        let store = try await stores.open("7")
        #expect(try await stores.open("7") === store)
        await stores.close("7")
        await cluster.move(for: .seconds(5))
        #expect(try await propose("pear", to: store).isAccepted)
        await cluster.stop()
        await #expect(throws: CancellationError.self) { try await stores.open("8") }
    }

    @Test func `a journal that can't be opened is tried again by the next one`() async throws {
        let a = cluster.start("a")
        let fails = Guarded(true)
        let stores = ClusteredStores(of: Ledger(), named: "ledgers", on: a.node) {
            [journals] name in
            if fails.withValue({ $0 }) { throw JournalError(.storage, "It is away.") }
            return journals.lend(name)
        } features: {
            Reduce { (_: inout Ledger, _: LedgerAction) in }
        }
        await #expect(throws: JournalError.self) { try await stores.open("7") }
        fails.withValue { $0 = false }
        #expect(try await stores.open("7").name == "ledgers/7")
        await cluster.stop()
    }
}

extension ProposalOutcome {
    fileprivate var isAccepted: Bool {
        if case .accepted = self { true } else { false }
    }
}
