// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCluster

struct LogVersionsTests {
    @Test func `both count together but where something was noted otherwise`() {
        var versions = LogVersions()
        for (log, store) in [(1, 1), (2, 2), (5, 3), (6, 4), (6, 5), (9, 6)]
            as [(CommitVersion, CommitVersion)]
        {
            versions.note(log, of: store)
        }
        #expect((0...6).map { versions[$0] } == [0, 1, 2, 5, 6, 6, 9])
    }

    @Test func `what didn't become a version is noted again`() {
        var versions = LogVersions()
        versions.note(3, of: 1)
        versions.note(4, of: 1)
        versions.note(5, of: 2)
        #expect((0...2).map { versions[$0] } == [0, 4, 5])
    }

    @Test func `the newest are known, however many there were`() {
        var versions = LogVersions()
        for store in 1...1_000 { versions.note(CommitVersion(2 * store), of: CommitVersion(store)) }
        #expect((980...1_000).map { versions[$0] } == (980...1_000).map { 2 * $0 })
    }
}
