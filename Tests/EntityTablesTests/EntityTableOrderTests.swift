// SPDX-License-Identifier: MIT

import EntityTables
import Testing

@Suite struct EntityTableOrderTests {
    @Test func `a sorted table puts rows where they belong`() {
        var table = EntityTable<Card>(sortedBy: RowOrder(\.title))
        for title in ["m", "c", "x", "a"] {
            table.append(Card(id: table.count, title: title))
        }
        #expect(table.map(\.title) == ["a", "c", "m", "x"])
    }

    @Test func `a row that changes goes where it belongs, and that is a move`() {
        var table = EntityTable<Card>(sortedBy: RowOrder(\.title))
        for (id, title) in ["a", "b", "c"].enumerated() {
            table.append(Card(id: id, title: title))
        }
        let mark = table.mark
        table[id: 0]?.title = "z"
        #expect(table.map(\.id) == [1, 2, 0])
        #expect(table.loggedChanges(since: mark)?.moved == [0])
        #expect(table.loggedChanges(since: mark)?.updated == [0])
    }

    @Test func `a row that changes and is still in order is not moved`() {
        var table = EntityTable<Card>(sortedBy: RowOrder(\.title))
        for (id, title) in ["a", "b", "c"].enumerated() {
            table.append(Card(id: id, title: title))
        }
        let mark = table.mark
        table.update(id: 1) { $0.title = "bb" }
        #expect(table.loggedChanges(since: mark)?.moved == [])
        #expect(table.loggedChanges(since: mark)?.updated == [1])
    }

    @Test func `of equal rows, the one that came last stands last`() {
        var table = EntityTable<Card>(sortedBy: RowOrder(\.title))
        for id in 0..<100 { table.append(Card(id: id, title: id % 2 == 0 ? "a" : "b")) }
        #expect(
            table.map(\.id) == (0..<100).filter { $0 % 2 == 0 } + (0..<100).filter { $0 % 2 == 1 })
    }

    @Test func `setting an order sorts, and equal rows stay in their order`() {
        let rows = (0..<200).map { Card(id: $0, title: "\($0 * 37 % 5)") }
        var table = EntityTable(rows) { first, _ in first }
        let before = table
        table.order = RowOrder(byTitle)
        #expect(Array(table) == rows.sorted(by: byTitle))
        #expect(table.changes(since: before).inserted == [])
        #expect(before.applying(table.changes(since: before), from: table) == table)
        table.order = nil
        table.append(Card(id: -1, title: ""))
        #expect(table.last?.id == -1)
    }

    @Test func `setting an order that the rows already have is no change`() {
        var table: EntityTable<Card> = [Card(id: 1, title: "a"), Card(id: 2, title: "b")]
        let mark = table.mark
        table.order = RowOrder(\.title)
        #expect(table.loggedChanges(since: mark)?.isEmpty == true)
    }

    @Test func `rows can be sorted while the table is made`() throws {
        let rows = [Card(id: 1, title: "b"), Card(id: 2, title: "a")]
        #expect(try EntityTable(rows, sortedBy: RowOrder(byTitle)).map(\.id) == [2, 1])
    }
}
