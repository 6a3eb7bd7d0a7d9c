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
                case 3:
                    let old = Int.random(in: 0..<40, using: &random)
                    source.rename(id: old, to: Reading(id: id, value: value))
                default: source[id: id] = Reading(id: id, value: value)
                }
            }
            #expect(sorting.follow(&derived, since: log, in: source), "step \(step)")
            let sorted = source.sorted(by: RowOrder(\.value))
            #expect(derived.map(\.id) == sorted.map(\.id), "step \(step)")
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `derived tables follow rows from id to id`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let mapping = TableMapping<Reading, Reading> { Reading(id: $0.id, value: -$0.value) }
        let filter = TableFilter<Reading> { $0.value > 1 }
        var source = EntityTable<Reading>()
        var (mapped, filtered) = (mapping.compute(source), filter.compute(source))
        for step in 0..<400 {
            let log = source.log
            let (oldMapped, oldFiltered) = (mapped, filtered)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let id = Int.random(in: 0..<12, using: &random)
                let row = Reading(id: id, value: Double(Int.random(in: 0..<6, using: &random)))
                let other = Int.random(in: 0..<12, using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: source.remove(id: id)
                case 1 where !source.isEmpty: source.move(id: id, to: other % source.count)
                case 2: source.insert(row, at: source.count / 2)
                case 3: source[id: id] = row
                default: source.rename(id: other, to: row)
                }
            }
            #expect(mapping.follow(&mapped, since: log, in: source))
            #expect(filter.follow(&filtered, since: log, in: source))
            mapped.checkInvariants()
            filtered.checkInvariants()
            #expect(Array(mapped) == source.map(mapping.transform), "step \(step)")
            #expect(Array(filtered) == source.filter(filter.isIncluded), "step \(step)")
            for (old, new) in [(oldMapped, mapped), (oldFiltered, filtered)] {
                let changes = new.changes(since: old)
                #expect(old.applying(changes, from: new) == new, "step \(step)")
                #expect(changes.renamed.allSatisfy { old[id: $0] != nil && new[id: $1] != nil })
            }
        }
    }

    @Test func `a row that gets another id does so in what is derived`() {
        let source: EntityTable = [Reading(id: 1, value: 5), Reading(id: 2, value: 4)]
        var changed = source
        changed.rename(id: 1, to: Reading(id: 7, value: 5))
        func check<D: TableDerivation>(_ derivation: D)
        where D.Row == Reading, D.Kept == EntityTable<Reading> {
            let before = derivation.compute(source)
            var rows = before
            #expect(derivation.follow(&rows, since: source.log, in: changed))
            #expect(rows.changes(since: before).renamed == [1: 7])
            #expect(rows == derivation.compute(changed))
        }
        check(TableFilter<Reading> { $0.value > 1 })
        check(TableSorting<Reading>(RowOrder(\.value)))
        check(TableMapping<Reading, Reading> { $0 })
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
