// SPDX-License-Identifier: MIT
#if All

import Testing

@testable import OnwardPostgres

struct PostgresDatabasesTests {
    @Test func `names are spread evenly and for ever, and few move when a place is added`() {
        let names = (0..<3_000).map { "room/\($0)" }
        let three = names.map { PostgresDatabases.place(of: $0, among: 3) }
        let four = names.map { PostgresDatabases.place(of: $0, among: 4) }
        for place in 0..<3 {
            #expect((850...1_150).contains(three.count { $0 == place }))
        }
        for (before, after) in zip(three, four) { #expect(after == before || after == 3) }
        #expect(three.prefix(12) == [2, 0, 2, 1, 1, 2, 1, 2, 2, 2, 2, 1])
    }
}
#endif
