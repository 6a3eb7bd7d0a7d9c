// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardReports

struct PendingEntriesTests {
    private struct Click: Action {}

    private func entry(_ version: CommitVersion) -> LogEntry {
        LogEntry(version: version, action: Click())
    }

    @Test func `one task is started, until it ends with nothing left`() {
        var pending = PendingEntries(limit: 8)
        let starts = [
            pending.add(entry(1)).startsTask, pending.add(entry(2)).startsTask, pending.wake(),
        ]
        #expect(starts == [true, false, false])
        let staysWithEntries = pending.mustStayAwake()
        #expect(staysWithEntries)
        let taken = pending.take(storingIn: [])
        #expect(taken.entries.map(\.version) == [1, 2])
        #expect(!taken.hasGap)
        let staysWithNone = pending.mustStayAwake()
        #expect(!staysWithNone)
        let startsAgain = pending.add(entry(3)).startsTask
        #expect(startsAgain)
        pending.end()
        let staysAtTheEnd = pending.mustStayAwake()
        #expect(!staysAtTheEnd)
    }

    @Test func `what doesn't fit isn't added, nor is what follows until the rest was taken`() {
        var pending = PendingEntries(limit: 3)
        let added = (1...5).map { pending.add(entry(CommitVersion($0))).isAdded }
        #expect(added == [true, true, true, false, false])
        let first = pending.take(storingIn: [])
        #expect(first.entries.map(\.version) == [1, 2, 3])
        #expect(first.hasGap)
        _ = pending.add(entry(6))
        let second = pending.take(storingIn: [])
        #expect(second.entries.map(\.version) == [6])
        #expect(!second.hasGap)
    }

    @Test func `installed states fill the queue sooner, and one always fits`() {
        var pending = PendingEntries(limit: 150)
        let added = (1...3).map { pending.add(entry(CommitVersion($0)), weight: 100).isAdded }
        #expect(added == [true, true, false])
    }

    @Test func `a gap alone is a reason to look again`() {
        var pending = PendingEntries(limit: 1)
        _ = pending.add(entry(1))
        _ = pending.take(storingIn: [])
        let staysWithNone = pending.mustStayAwake()
        #expect(!staysWithNone)
        for version in 2...3 { _ = pending.add(entry(CommitVersion(version))) }
        #expect(pending.take(storingIn: []).hasGap)
    }

    @Test func `storage that was written is used again`() {
        var pending = PendingEntries(limit: 100)
        var spare: [LogEntry] = []
        spare.reserveCapacity(64)
        _ = pending.take(storingIn: spare)
        spare = []
        for version in 1...64 { _ = pending.add(entry(CommitVersion(version))) }
        let taken = pending.take(storingIn: [])
        #expect(taken.entries.capacity >= 64)
    }
}
