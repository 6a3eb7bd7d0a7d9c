// SPDX-License-Identifier: MIT

import Testing

@testable import EntityTables
@testable import struct TestSupport.SeededGenerator

@Suite struct DerivedOrderTests {
    struct Reading: Identifiable, Equatable, Sendable {
        let id: Int
        var value: Double
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a derived order is the same row by row and at once, with NaN last`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let sorting = TableSorting<Reading>(RowOrder(\.value))
        var source = EntityTable<Reading>()
        var derived = sorting.compute(source)
        for step in 0..<400 {
            let log = source.log
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let id = Int.random(in: 0..<40, using: &random)
                let number = Int.random(in: 0..<6, using: &random)
                let value = number == 0 ? .nan : Double(number)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: source.remove(id: id)
                case 1 where !source.isEmpty: source.move(id: id, to: id % source.count)
                case 2: source.insert(Reading(id: id, value: value), at: source.count / 2)
                default: source[id: id] = Reading(id: id, value: value)
                }
            }
            #expect(sorting.follow(&derived, since: log, in: source), "step \(step)")
            let sorted = source.sorted(by: RowOrder(\.value))
            #expect(derived.map(\.id) == sorted.map(\.id), "step \(step)")
        }
    }

    @Test func `a table in a derived order is sorted by that of its rows once it is changed`() {
        let source: EntityTable = [TitledCard(id: 1, title: "a"), TitledCard(id: 2, title: "b")]
        let derived = TableSorting<TitledCard>(RowOrder { $0.id > $1.id }).compute(source)
        #expect(derived.map(\.id) == [2, 1])
        #expect(derived.order == nil)
        let changes: [(inout EntityTable<TitledCard>) -> Void] = [
            { $0.append(TitledCard(id: 3, title: "c")) },
            { $0[id: 3] = TitledCard(id: 3, title: "c") },
            { $0.update(id: 2) { $0.title = "c" } },
            { $0[id: 2]?.title = "c" },
        ]
        for change in changes {
            var table = derived
            let before = table
            change(&table)
            table.checkInvariants()
            #expect(table.order != nil)
            #expect(table.map(\.title) == table.map(\.title).sorted())
            #expect(before.applying(table.changes(since: before), from: table) == table)
        }
    }

    @Test func `what is made of sorted rows keeps the order it was made in`() {
        let source: EntityTable = [TitledCard(id: 1, title: "a"), TitledCard(id: 2, title: "b")]
        let mapped = TableMapping<TitledCard, TitledCard> {
            TitledCard(id: $0.id, title: "\(9 - $0.id)")
        }
        var rows = mapped.compute(source)
        #expect(rows.map(\.id) == [1, 2])
        var changed = source
        changed[id: 1]?.title = "c"
        #expect(mapped.follow(&rows, since: source.log, in: changed))
        #expect(rows.map(\.id) == [2, 1])
    }
}
