// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal
import Testing

struct FoldTests {
    private func folded(_ entries: [JournalEntry], window: Int = 10) throws -> Fold<Names> {
        var fold = Fold(Names(), window: window)
        for entry in entries { try fold.apply(entry, Names()) }
        return fold
    }

    @Test func `knows the state, the owner and the requests`() throws {
        let fold = try folded([claim(1, by: a), entry(2, "x"), entry(3, "y")])
        #expect(fold.state == ["x", "y"])
        #expect(fold.ownership?.node == a)
        #expect(fold.requests.find(id(3), since: 0) == .done(3))
        #expect(fold.position == entry(3, "y").position)
    }

    @Test func `is the same from a snapshot, with what it has forgotten`() throws {
        let fold = try folded(
            [claim(1, by: a, epoch: 4), entry(2, "x", epoch: 4), entry(3, "y", epoch: 4)], window: 1
        )
        let restored = try Fold(fold.snapshot(Names()), Names(), window: 1)
        #expect(restored.state == fold.state)
        #expect(restored.position == fold.position)
        #expect(restored.ownership == fold.ownership)
        #expect(restored.requests.find(id(3), since: 0) == .done(3))
        #expect(restored.requests.find(id(2), since: 1) == .forgotten)
    }

    @Test func `knows which durable work hasn't ended, also from a snapshot`() throws {
        let begun = try folded(
            [claim(1, by: a), entry(2, "mail x"), entry(3, "y"), entry(4, "mail z")])
        #expect(begun.work.entries == [entry(2, "mail x"), entry(4, "mail z")])
        var restored = try Fold(begun.snapshot(Names()), Names(), window: 1)
        #expect(restored.work.entries.map(\.id) == begun.work.entries.map(\.id))
        #expect(restored.work.entries.map(\.name) == ["mail x", "mail z"])
        try restored.apply(claim(5, by: a, ended: [entry(2, "mail x").id]), Names())
        #expect(restored.work.entries.map(\.name) == ["mail z"])
    }

    @Test func `refuses a snapshot without the ids of requests`() throws {
        let snapshot = JournalSnapshot(
            version: 3, fingerprint: Names().fingerprint, payload: DataFormat.cbor.bytes(of: ["x"]))
        let error = #expect(throws: JournalError.self) {
            try Fold(snapshot, Names(), window: 1)
        }
        #expect(error?.code == .unreadable)
    }

    @Test func `an id says the epoch in which its request ran`() {
        #expect(id(5).entry(in: 1) != id(5).entry(in: 2))
        #expect(id(5).entry(in: 3).request(in: 3) == id(5))
        #expect(id(5).entry(in: 3, beforeLast: 1) != id(5).entry(in: 3))
    }
}
