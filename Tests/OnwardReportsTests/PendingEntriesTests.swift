// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardReports

struct PendingEntriesTests {
    private struct Click: Action {}

    private func entry(_ version: Version) -> Entry { Entry(version: version, action: Click()) }

    @Test func `one task is started, until it ends with nothing left`() {
        var pending = PendingEntries(limit: 8)
        let starts = [pending.add(entry(1)), pending.add(entry(2)), pending.wake()]
        #expect(starts == [true, false, false])
        let staysWithEntries = pending.mustStayAwake()
        #expect(staysWithEntries)
        let taken = pending.take(storingIn: [])
        #expect(taken.entries.map(\.version) == [1, 2])
        #expect(!taken.hasGap)
        let staysWithNone = pending.mustStayAwake()
        #expect(!staysWithNone)
        let startsAgain = pending.add(entry(3))
        #expect(startsAgain)
        pending.end()
        let staysAtTheEnd = pending.mustStayAwake()
        #expect(!staysAtTheEnd)
    }

    @Test func `what doesn't fit drops what waits, and says so once`() {
        var pending = PendingEntries(limit: 3)
        for version in 1...5 { _ = pending.add(entry(Version(version))) }
        let first = pending.take(storingIn: [])
        #expect(first.entries.map(\.version) == [4, 5])
        #expect(first.hasGap)
        _ = pending.add(entry(6))
        let second = pending.take(storingIn: [])
        #expect(second.entries.map(\.version) == [6])
        #expect(!second.hasGap)
    }

    @Test func `storage that was written is used again`() {
        var pending = PendingEntries(limit: 100)
        var spare: [Entry] = []
        spare.reserveCapacity(64)
        _ = pending.take(storingIn: spare)
        spare = []
        for version in 1...64 { _ = pending.add(entry(Version(version))) }
        let taken = pending.take(storingIn: [])
        #expect(taken.entries.capacity >= 64)
    }
}
