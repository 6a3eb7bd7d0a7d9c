// SPDX-License-Identifier: MIT
#if Server

import Testing

@testable import OnwardServer

@Suite struct `Who leaves for somebody else` {
    private let here = ClientAddress.v4(1)
    private let there = ClientAddress.v4(2)

    /// A full table of visitors who have all done something, the first seen longest ago.
    private func table(
        limit: Int, from addresses: (Int) -> ClientAddress
    ) -> (VisitorTable<Int>, [VisitorID]) {
        var table = VisitorTable<Int>(limit: limit, idle: .seconds(1_800))
        let visitors = (0..<limit).map { _ in VisitorID() }
        for (number, visitor) in visitors.enumerated() {
            table.admit(number, as: visitor, from: addresses(number), at: .seconds(number))
            table.act(visitor)
        }
        return (table, visitors)
    }

    @Test func `many from one address leave for those from others`() {
        var (table, _) = table(limit: 10) { $0 == 0 ? there : here }
        for number in 1...4 {
            #expect(table.hasRoom(besides: 0, for: there, at: .seconds(20)))
            #expect(table.makeRoom(for: there, at: .seconds(20)) == [number])
            table.admit(100 + number, as: VisitorID(), from: there, at: .seconds(20))
        }
    }

    @Test func `an address that has the most has no room for more`() {
        var (table, _) = table(limit: 10) { _ in here }
        #expect(!table.hasRoom(besides: 0, for: here, at: .seconds(20)))
        #expect(table.makeRoom(for: here, at: .seconds(20)) == nil)
    }

    @Test
    func
        `of many from one address those whose pages are open leave last, and first the one that came last`()
    {
        var (table, visitors) = table(limit: 4) { _ in here }
        for visitor in visitors { table.countStream(1, of: visitor, at: .seconds(10)) }
        table.countStream(-1, of: visitors[1], at: .seconds(20))
        #expect(table.makeRoom(for: here, at: .seconds(20)) == nil)
        #expect(table.makeRoom(for: there, at: .seconds(20)) == [1])
        table.admit(100, as: VisitorID(), from: there, at: .seconds(20))
        #expect(table.makeRoom(for: there, at: .seconds(20)) == [3])
    }

    @Test func `who was there before many came from one address keeps its place`() {
        var table = VisitorTable<Int>(limit: 10, idle: .seconds(1_800))
        let visitor = VisitorID()
        table.admit(0, as: visitor, from: there, at: .zero)
        table.act(visitor)
        for number in 1..<10 {
            let other = VisitorID()
            table.admit(number, as: other, from: here, at: .seconds(1))
            table.act(other)
            table.countStream(1, of: other, at: .seconds(1))
        }
        for number in 0..<4 {
            #expect(table.makeRoom(for: .v4(3), at: .seconds(2)) != [0])
            let other = VisitorID()
            table.admit(20 + number, as: other, from: .v4(3), at: .seconds(2))
            table.act(other)
        }
        #expect(table.visit(visitor, at: .seconds(3)) == 0)
        #expect(!table.hasRoom(besides: 0, for: here, at: .seconds(3)))
    }

    @Test func `many from one address take nobody else's place, and leave first`() {
        var (table, _) = table(limit: 10) { $0 == 0 ? there : here }
        // Long after all of them were seen.
        #expect(table.makeRoom(for: here, at: .seconds(90)) == [1])
        let last = VisitorID()
        table.admit(100, as: last, from: here, at: .seconds(90))
        table.act(last)
        #expect(table.makeRoom(for: .v4(3), at: .seconds(90)) == [2])
    }

    @Test func `where no address has more than half, nobody leaves who has just done something`() {
        var (table, _) = table(limit: 4) { $0 < 2 ? here : there }
        #expect(table.makeRoom(for: .v4(3), at: .seconds(20)) == nil)
    }
}
#endif
