// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal
import Testing

struct ReplicaTests {
    private func replica(_ entries: [JournalEntry]) -> Replica<Names> {
        var replica = Replica(Names(), window: 10)
        let isRead = replica.read(entries, from: 1)
        #expect(isRead)
        return replica
    }

    @Test func `shows nothing that nobody has acknowledged`() {
        let replica = replica([claim(1, by: a), entry(2, "x")])
        #expect(replica.fold.state == [])
        #expect(replica.end == entry(2, "x").position)
    }

    @Test func `shows what was acknowledged, however it learns of it first`() {
        var early = Replica(Names(), window: 10)
        early.acknowledge(entry(2, "x").position)
        #expect(early.isBehind)
        let isRead = early.read([claim(1, by: a), entry(2, "x"), entry(3, "y")], from: 1)
        #expect(isRead)
        #expect(early.fold.state == ["x"])

        var late = replica([claim(1, by: a), entry(2, "x"), entry(3, "y")])
        late.acknowledge(entry(3, "y").position)
        #expect(late.fold.state == ["x", "y"])
    }

    @Test func `takes from a message what stands right behind the last entry that it has`() {
        var replica = replica([claim(1, by: a), entry(2, "lost")])
        // Behind another entry of that version.
        replica.take([entry(3, "y")], after: entry(2, "x", epoch: 2).position)
        #expect(replica.end == entry(2, "lost").position)
        replica.take([entry(4, "z")], after: entry(3, "y").position)
        #expect(replica.end == entry(2, "lost").position)
        replica.take([entry(3, "y")], after: entry(2, "lost").position)
        #expect(replica.end == entry(3, "y").position)
        // Shown once it is acknowledged.
        #expect(replica.fold.state == [])
    }

    @Test func `learns from the log alone what was acknowledged`() {
        let mark = claim(4, by: a, acknowledged: entry(3, "y").position)
        let replica = replica([claim(1, by: a), entry(2, "x"), entry(3, "y"), mark])
        #expect(replica.fold.state == ["x", "y"])
        #expect(replica.fold.version == 3)
    }

    @Test func `reads anew what turns out to be of a lost history`() {
        var replica = replica([claim(1, by: a), entry(2, "x"), entry(3, "lost")])
        replica.acknowledge(claim(3, by: b, epoch: 2).position)
        #expect(replica.fold.state == [])
        #expect(replica.end == .start)
        let isRead = replica.read(
            [claim(1, by: a), entry(2, "x"), claim(3, by: b, epoch: 2)], from: 1)
        #expect(isRead)
        #expect(replica.fold.state == ["x"])
    }

    @Test func `forgets what was read where the journal's end is lost, unless it was shown`() {
        var replica = replica([claim(1, by: a), entry(2, "x"), entry(3, "lost")])
        replica.acknowledge(entry(2, "x").position)
        let isRead = replica.read([], from: 3)
        #expect(isRead)
        #expect(replica.end == entry(2, "x").position)
        let isReadAgain = replica.read([], from: 2)
        #expect(!isReadAgain)
        #expect(replica.fold.state == ["x"])
    }

    @Test func `takes the same request in another epoch for another entry`() {
        // Both histories have the same request at the same version, behind different entries.
        var replica = replica([claim(1, by: a), entry(2, "x"), entry(3, "y")])
        replica.acknowledge(entry(3, "y", epoch: 2).position)
        #expect(replica.fold.state == [])
    }

    @Test func `refuses a server whose journal isn't the one that is shown`() {
        var replica = replica([claim(1, by: a), entry(2, "x")])
        replica.acknowledge(entry(2, "x").position)
        let isRead = replica.read([claim(2, by: b, epoch: 2), entry(3, "z", epoch: 2)], from: 1)
        #expect(!isRead)
        #expect(replica.fold.state == ["x"])
        #expect(replica.end == entry(2, "x").position)
    }

    @Test func `goes on from a snapshot, and never back to one`() throws {
        var source = replica([claim(1, by: a), entry(2, "x"), entry(3, "y")])
        source.acknowledge(entry(2, "x").position)
        let snapshot = try source.fold.snapshot(Names())
        var other = Replica(Names(), window: 10)
        other.install(snapshot)
        #expect(other.fold.state == ["x"])
        let isRead = other.read([entry(2, "x"), entry(3, "y")], from: 1)
        #expect(isRead)
        other.acknowledge(entry(3, "y").position)
        other.install(snapshot)
        #expect(other.fold.state == ["x", "y"])
    }

    @Test func `stops at an owner with other features, and goes on once one has its own`() {
        var replica = replica([
            claim(1, by: a), entry(2, "x"), claim(3, by: b, epoch: 2, features: 2),
        ])
        replica.acknowledge(claim(3, by: b, epoch: 2, features: 2).position)
        #expect(replica.fold.state == ["x"])
        #expect(replica.foreign == FeatureFingerprint(rawValue: 2))
        let (more, back) = (entry(4, "y", epoch: 2), claim(5, by: a, epoch: 3))
        let isRead = replica.read([more, back], from: 1)
        #expect(isRead)
        replica.acknowledge(back.position)
        #expect(replica.fold.state == ["x", "y"])
        #expect(replica.foreign == nil)
    }

    @Test func `stops before an entry that can't be read`() {
        var replica = replica([
            claim(1, by: a), entry(2, "x"), entry(3, "unreadable"), entry(4, "y"),
        ])
        replica.acknowledge(entry(4, "y").position)
        #expect(replica.fold.state == ["x"])
        #expect(replica.failure?.version == 3)
    }
}
