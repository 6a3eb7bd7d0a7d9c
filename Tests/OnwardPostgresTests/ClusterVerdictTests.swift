// SPDX-License-Identifier: MIT
#if All

import ClusterRecords
import Onward
import OnwardCluster
import OnwardJournal
import Testing

/// What the program finds that looks at a cluster afterwards.
struct ClusterVerdictTests {
    private let codec = JournalCodec(
        for: Store(Lines()) { Reduce { (_: inout Lines, _: Line) in } })
    private let shown = { (texts: [String]) in
        var lines = Lines()
        for text in texts { lines.add(text) }
        return lines
    }

    /// The log of an owner that has accepted some lines, of one that came after it, and of more lines.
    private func log(_ texts: [String], epochs: [UInt64] = [1, 1, 2, 2]) throws -> [JournalEntry] {
        var log: [JournalEntry] = []
        for epoch in epochs {
            let version = CommitVersion(log.count + 1)
            if log.last?.epoch != epoch {
                let ownership = Ownership(
                    node: NodeID("node\(epoch)"), epoch: epoch,
                    fingerprint: codec.fingerprint, acknowledged: .start)
                log.append(ownership.entry(at: version, id: EntryID()))
            } else {
                let line = Line(text: texts[log.count { $0.kind == .action }])
                let entry = try codec.actions.encode(
                    LogEntry(
                        version: 0, action: line, address: .root,
                        origin: ActionOrigin(file: "", line: 1))
                )
                log.append(
                    JournalEntry(
                        version: version, id: EntryID(), epoch: epoch, name: entry.name,
                        schema: entry.schema, payload: entry.payload))
            }
        }
        return log
    }

    private func faults(
        _ records: [ClusterRecord], _ log: [JournalEntry]
    ) -> [String] {
        ClusterVerdict(of: records, ["store": log]).faults
    }

    /// Whatever was proposed was accepted, and a node shows it.
    private var rightRecords: [ClusterRecord] {
        [
            .proposed(line: "one", store: "store", version: 2),
            .seen(shown(["one"]), store: "store", node: "a", after: 2),
            .proposed(line: "two", store: "store", version: 4),
            .last(shown(["one", "two"]), store: "store", node: "a"),
        ]
    }

    @Test func `a cluster that has kept its promises has no faults`() throws {
        let verdict = ClusterVerdict(of: rightRecords, ["store": try log(["one", "two"])])
        #expect(verdict.faults == [])
        #expect(verdict.accepted == 2 && verdict.claims == 2 && verdict.replicas == 1)
    }

    @Test func `an accepted line that isn't in the log, or elsewhere, is a fault`() throws {
        let log = try log(["one", "two"])
        let lost = ClusterRecord.proposed(line: "three", store: "store", version: 5)
        #expect(
            faults(rightRecords + [lost], log) == [
                "store: \"three\" was accepted as 5, and is in no entry"
            ])
        var moved = rightRecords
        moved[0] = .proposed(line: "one", store: "store", version: 3)
        #expect(
            faults(moved, log) == ["store: \"one\" was accepted as 3, and is entry 2"])
    }

    @Test func `a line that is there twice, or that nobody has proposed, is a fault`() throws {
        #expect(
            faults(Array(rightRecords.prefix(2)), try log(["one", "one"])).contains(
                "store: \"one\" was done twice"))
        #expect(
            faults(Array(rightRecords.prefix(2)), try log(["one", "two"])) == [
                "store: nobody has proposed \"two\""
            ])
    }

    @Test func `a state that isn't in the log, or lacks what its reader has written, is a fault`()
        throws
    {
        let log = try log(["one", "two"])
        let never = ClusterRecord.seen(shown(["two"]), store: "store", node: "b", after: nil)
        #expect(
            faults(rightRecords + [never], log) == [
                "store: b showed 1 lines that the log hasn't"
            ])
        let stale = ClusterRecord.seen(shown(["one"]), store: "store", node: "b", after: 4)
        #expect(
            faults(rightRecords + [stale], log) == [
                "store: b showed 1 lines to somebody who had written line 2 there"
            ])
    }

    @Test func `a replica that differs from the fold of the log is a fault`() throws {
        let behind = ClusterRecord.last(shown(["one"]), store: "store", node: "c")
        #expect(
            faults(rightRecords + [behind], try log(["one", "two"])) == [
                "store: c shows 1 lines in the end, which are not the 2 of the log"
            ])
    }

    @Test func `an entry of an older epoch behind one of a newer epoch is a fault`() throws {
        let log = try log(["one", "two"], epochs: [2, 2, 1, 1])
        #expect(faults(rightRecords, log) == ["store: entry 3 of epoch 1 is behind one of epoch 2"])
    }

    @Test func `an entry that is missing, and a store without a log, are faults`() throws {
        var log = try log(["one", "two"])
        log.remove(at: 2)
        #expect(faults(rightRecords, log).contains("store: the versions have a gap"))
        #expect(
            ClusterVerdict(of: rightRecords, [:]).faults == ["store has no log"])
    }
}
#endif
