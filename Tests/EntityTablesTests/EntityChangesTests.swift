// SPDX-License-Identifier: MIT

import Testing

@testable import EntityTables
@testable import struct TestSupport.SeededGenerator

@Suite struct EntityChangesTests {
    let rows = (0..<100).map { Card(id: $0) }
    var table: EntityTable<Card>

    init() throws {
        table = try EntityTable(rows)
    }

    @Test mutating func `a mark is answered with what changed since`() {
        let mark = table.mark
        #expect(table.loggedChanges(since: mark)?.isEmpty == true)
        table[id: 3]?.isFaceUp = true
        table.append(Card(id: 100))
        table.remove(id: 5)
        table.move(id: 7, to: 0)
        let changes = table.loggedChanges(since: mark)
        #expect(changes?.inserted == [100])
        #expect(changes?.removed == [5])
        #expect(changes?.updated == [3])
        #expect(changes?.moved == [7])
    }

    @Test mutating func `a row that gets another id keeps its place, and the changes say so`() {
        let older = table
        let isRenamed = table.rename(id: 3, to: Card(id: 200))
        #expect(isRenamed)
        #expect(table.index(id: 200) == 3)
        #expect(table[id: 3] == nil)
        let changes = table.changes(since: older)
        #expect(changes.renamed == [3: 200])
        #expect(changes.removed == [3])
        #expect(changes.inserted == [200])
        #expect(older.applying(changes, from: table) == table)
        #expect(older.applying(changes, from: table).changes(since: older).renamed == [3: 200])
        #expect(older.changes(since: table.log)?.renamed == [200: 3])
    }

    @Test mutating func `an id that another row has is not given twice`() {
        let older = table
        let toTaken = table.rename(id: 3, to: Card(id: 4))
        let ofAbsent = table.rename(id: 300, to: Card(id: 301))
        #expect(!toTaken && !ofAbsent)
        #expect(table.mark == older.mark)
        let toItself = table.rename(id: 3, to: Card(id: 3, isFaceUp: true))
        #expect(toItself)
        #expect(table.changes(since: older).updated == [3])
        #expect(table.changes(since: older).renamed.isEmpty)
    }

    @Test mutating func `renames are followed from id to id`() {
        let older = table
        table.rename(id: 1, to: Card(id: 200))
        table.rename(id: 200, to: Card(id: 300))
        table.remove(id: 2)
        table.rename(id: 3, to: Card(id: 2))
        table.append(Card(id: 400))
        table.rename(id: 400, to: Card(id: 401))
        table.rename(id: 5, to: Card(id: 500))
        table.rename(id: 500, to: Card(id: 5))
        table.rename(id: 6, to: Card(id: 600))
        table.remove(id: 600)
        let changes = table.changes(since: older)
        #expect(changes.renamed == [1: 300, 3: 2])
        #expect(older.applying(changes, from: table) == table)
    }

    @Test func `both records of a rename are answered, wherever the log was cut`() {
        for earlier in 500...520 {
            var table = table
            let first = table.mark
            for _ in 0..<earlier { table[id: 0]?.isFaceUp.toggle() }
            let mark = table.mark
            table.rename(id: 1, to: Card(id: 200))
            table.checkInvariants()
            #expect(table.loggedChanges(since: mark)?.renamed == [1: 200])
            #expect(table.loggedChanges(since: first)?.renamed == [1: 200])
        }
    }

    @Test mutating func `changes of one row are combined`() {
        let mark = table.mark
        table.append(Card(id: 100))
        table[id: 100]?.isFaceUp = true
        table.append(Card(id: 101))
        table.remove(id: 101)
        table.remove(id: 50)
        table.append(Card(id: 50))
        table[id: 60]?.isFaceUp = true
        table.remove(id: 60)
        let changes = table.loggedChanges(since: mark)
        #expect(changes?.inserted == [100])
        #expect(changes?.removed == [60])
        #expect(changes?.updated == [50])
        #expect(changes?.moved == [50])
    }

    @Test mutating func `ids come in the order of the newer table`() {
        let mark = table.mark
        for id in [30, 10, 20] { table[id: id]?.isFaceUp = true }
        for id in [103, 101, 102] { table.insert(Card(id: id), at: 0) }
        #expect(table.loggedChanges(since: mark)?.updated == [10, 20, 30])
        #expect(table.loggedChanges(since: mark)?.inserted == [102, 101, 103])
    }

    @Test mutating func `a mark of a copy that changed separately is not answered`() {
        var copy = table
        table[id: 1]?.isFaceUp = true
        copy[id: 2]?.isFaceUp = true
        let (mark, copyMark) = (table.mark, copy.mark)
        #expect(mark != copyMark)
        #expect(table.loggedChanges(since: copyMark) == nil)
        #expect(copy.loggedChanges(since: mark) == nil)
        table[id: 3]?.isFaceUp = true
        copy[id: 3]?.isFaceUp = true
        #expect(table.loggedChanges(since: copyMark) == nil)
        #expect(copy.loggedChanges(since: mark) == nil)
        #expect(table.loggedChanges(since: mark)?.updated == [3])
        #expect(copy.loggedChanges(since: copyMark)?.updated == [3])
    }

    @Test mutating func `a mark from before two copies diverged is answered by both`() {
        table[id: 0]?.isFaceUp = true
        let mark = table.mark
        var copy = table
        table[id: 1]?.isFaceUp = true
        copy[id: 2]?.isFaceUp = true
        #expect(table.loggedChanges(since: mark)?.updated == [1])
        #expect(copy.loggedChanges(since: mark)?.updated == [2])
    }

    @Test mutating func `a log leads back to an older state, and on from one copy to another`()
        throws
    {
        let old = table
        table[id: 3]?.isFaceUp = true
        table.append(Card(id: 100))
        table.remove(id: 5)
        table.move(id: 7, to: 0)
        let back = try #require(old.changes(since: table.log))
        #expect(back.inserted == [5])
        #expect(back.removed == [100])
        #expect(back.updated == [3])
        #expect(back.moved == [7])
        var copy = old
        copy[id: 3]?.title = "other"
        copy.remove(id: 9)
        let across = try #require(copy.changes(since: table.log))
        #expect(across.inserted == [5])
        #expect(across.removed == [9, 100] || across.removed == [100, 9])
        #expect(across.updated == [3])
        #expect(across.moved == [7])
        #expect(table.applying(across, from: copy) == copy)
    }

    @Test func `a log leads nowhere from a table that was made anew, or has forgotten`() throws {
        let other = try EntityTable(rows)
        #expect(other.changes(since: table.log) == nil)
        var later = table
        for number in 0..<2_000 { later[id: number % 100]?.title = "\(number)" }
        #expect(later.changes(since: table.log) == nil)
        #expect(table.changes(since: later.log) == nil)
    }

    @Test(arguments: [3, 4, 5] as [UInt64])
    func `the log of any state leads to any other one near it`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var kept = [table]
        for _ in 0..<400 {
            var table = kept[Int.random(in: max(0, kept.count - 20)..<kept.count, using: &random)]
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let id = Int.random(in: 0..<110, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: table.remove(id: id)
                case 1: table.insert(Card(id: id), at: id % (table.count + 1))
                case 2 where !table.isEmpty: table.move(id: id, to: id % table.count)
                default: table[id: id]?.title = "\(seed) \(id)"
                }
            }
            kept.append(table)
            let from = kept[Int.random(in: max(0, kept.count - 30)..<kept.count, using: &random)]
            guard let changes = table.changes(since: from.log) else {
                Issue.record("no way is known, seed \(seed)")
                continue
            }
            let reached = from.applying(changes, from: table)
            #expect(reached == table, "seed \(seed)")
            var touched: Set<Int> = []
            #expect(table.forEachTouched(since: from.log) { touched.insert($0) })
            #expect(touched.isSuperset(of: changes.updated + changes.inserted + changes.removed))
        }
    }

    @Test
    mutating func `a mark of a dropped branch is never taken for one of the branch that stays`() {
        let parting = table
        table[id: 1]?.isFaceUp = true
        let dropped = table.mark
        table = parting
        table[id: 2]?.isFaceUp = true
        #expect(table.loggedChanges(since: dropped) == nil)
        #expect(table.loggedChanges(since: parting.mark)?.updated == [2])
    }

    @Test mutating func `tables made separately do not know each other's marks`() throws {
        let other = try EntityTable(rows)
        #expect(table.mark != other.mark)
        #expect(table.loggedChanges(since: other.mark) == nil)
        #expect(EntityTable<Card>().loggedChanges(since: EntityTable<Card>().mark) == nil)
    }

    @Test mutating func `at least 512 changes are remembered, and never more than twice as many`() {
        let first = table.mark
        for step in 1...512 { table[id: step % 100]?.isFaceUp.toggle() }
        #expect(table.loggedChanges(since: first)?.updated.count == 100)
        for step in 1...512 { table[id: step % 100]?.isFaceUp.toggle() }
        #expect(table.loggedChanges(since: first)?.updated.count == 100)
        table[id: 1]?.isFaceUp.toggle()
        #expect(table.loggedChanges(since: first) == nil)
        table.checkInvariants()
    }

    @Test mutating func `the log stays bounded while every version is held for a while`() {
        var held: [EntityTable<Card>] = []
        let first = table.mark
        for step in 1...2_000 {
            held.append(table)
            if held.count > 10 { held.removeFirst() }
            table[id: step % 100]?.isFaceUp.toggle()
        }
        table.checkInvariants()
        #expect(table.loggedChanges(since: first) == nil)
        #expect(table.loggedChanges(since: held[0].mark)?.updated.count == held.count)
    }

    @Test mutating func `where the log is lost, changes are found by comparing the trees`() {
        let old = table
        table[id: 42]?.isFaceUp = true
        table.append(Card(id: 100))
        table.remove(id: 7)
        table.move(id: 99, to: 1)
        let back = old.changes(since: table)
        #expect(old.loggedChanges(since: table.mark) == nil)
        #expect(back.inserted == [7])
        #expect(back.removed == [100])
        #expect(back.updated == [42])
        #expect(back.moved == [99])
    }

    @Test func `a row that moves is found by comparing the trees, also across shared leaves`() {
        for from in stride(from: 0, to: 100, by: 5) {
            for to in stride(from: 0, to: 100, by: 5) where to != from {
                var moved = table
                moved.move(id: from, to: to)
                #expect(table.changes(since: moved).moved == [from], "from \(from) to \(to)")
                #expect(table != moved, "from \(from) to \(to)")
            }
        }
    }

    @Test func `unrelated tables can be compared too`() throws {
        let other = try EntityTable(rows.reversed() + [Card(id: 100)])
        let changes = other.changes(since: table)
        #expect(changes.inserted == [100])
        #expect(changes.moved.count == 99)
        #expect(table.applying(changes, from: other) == other)
    }

    @Test func `rows that cannot be compared are listed as updated when they share a changed leaf`()
    {
        struct Plain: Identifiable {
            let id: Int
            var name = ""
        }
        let old = EntityTable((0..<1_000).map { Plain(id: $0) }) { first, _ in first }
        var new = old
        new[id: 500]?.name = "new"
        let updated = old.changes(since: new).updated
        #expect(updated.contains(500))
        #expect(updated.count <= 32)
    }

    @Test func `an old version shares all but the leaves that changed since`() throws {
        let old = try EntityTable((0..<20_000).map { Card(id: $0) })
        var new = old
        new[id: 10_000]?.isFaceUp = true
        #expect(new.tree.looseRows(comparedWith: old.tree).mine.count <= 32)
        new.move(id: 5, to: 15_000)
        new.checkInvariants()
        #expect(new.tree.looseRows(comparedWith: old.tree).mine.count <= 4 * 32)
        #expect(old != new)
    }

    @Test func `a longest rise is strictly rising and as long as possible`() {
        #expect(longestRise(in: []) == [])
        #expect(longestRise(in: [5]) == [0])
        #expect(longestRise(in: [3, 1, 2, 0, 4]) == [1, 2, 4])
        #expect(longestRise(in: [4, 3, 2]).count == 1)
        #expect(longestRise(in: Array(0..<50)) == Array(0..<50))
    }
}
