// SPDX-License-Identifier: MIT

import Testing

@testable import TunesService

@Suite struct RecentEntriesTests {
    @Test func `the costs never exceed the limit, and what was used longest ago goes first`() {
        var entries = RecentEntries<Int, String>(limit: 10)
        for key in 0..<5 { #expect(entries.insert("\(key)", for: key, cost: 2) == []) }
        #expect(entries.cost == 10)
        #expect(entries.use(0) == "0")
        #expect(entries.insert("5", for: 5, cost: 3) == [1, 2])
        #expect(entries.cost == 9)
        #expect(Set(entries.keys) == [0, 3, 4, 5])
    }

    @Test func `a value in place of another one costs once`() {
        var entries = RecentEntries<Int, String>(limit: 10)
        _ = entries.insert("a", for: 1, cost: 8)
        #expect(entries.insert("b", for: 1, cost: 4) == [])
        #expect(entries.cost == 4)
        #expect(entries.use(1) == "b")
    }

    @Test func `what is larger than the limit isn't taken in and displaces nothing`() {
        var entries = RecentEntries<Int, String>(limit: 10)
        _ = entries.insert("a", for: 1, cost: 8)
        #expect(entries.insert("b", for: 2, cost: 11) == [2])
        #expect(entries.use(2) == nil)
        #expect(entries.use(1) == "a")
    }
}
