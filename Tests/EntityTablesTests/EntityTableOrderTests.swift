// SPDX-License-Identifier: MIT

import EntityTables
import Testing

@Suite struct EntityTableOrderTests {
    /// The ways of changing the title of a row.
    static let changes: [@Sendable (inout EntityTable<TitledCard>, Int, String) -> Void] = [
        { $0[id: $1]?.title = $2 },
        { (table, id, title) in table.update(id: id) { $0.title = title } },
        { $0[id: $1] = TitledCard(id: $1, title: $2) },
        { $0.upsert(contentsOf: [TitledCard(id: $1, title: $2)]) },
    ]

    private func table(_ titles: String...) -> EntityTable<TitledCard> {
        var table = EntityTable<TitledCard>()
        for title in titles { table.append(TitledCard(id: table.count, title: title)) }
        return table
    }

    @Test func `a sorted table puts rows where they belong`() {
        #expect(table("m", "c", "x", "a").map(\.title) == ["a", "c", "m", "x"])
    }

    @Test(arguments: changes.indices)
    func `a row that changes goes where it belongs, and that is a move`(way: Int) {
        var table = table("a", "b", "c")
        let mark = table.mark
        Self.changes[way](&table, 0, "z")
        #expect(table.map(\.id) == [1, 2, 0])
        #expect(table.loggedChanges(since: mark)?.moved == [0])
        #expect(table.loggedChanges(since: mark)?.updated == [0])
    }

    @Test func `a row that changes and is still in order is not moved`() {
        var table = table("a", "b", "c")
        let mark = table.mark
        table.update(id: 1) { $0.title = "bb" }
        #expect(table.loggedChanges(since: mark)?.moved == [])
        #expect(table.loggedChanges(since: mark)?.updated == [1])
    }

    @Test(arguments: changes.indices)
    func `a row that becomes equal to others goes behind them, wherever it was`(way: Int) {
        var table = table("a", "b", "b", "c")
        Self.changes[way](&table, 0, "b")
        #expect(table.map(\.id) == [1, 2, 0, 3])
        Self.changes[way](&table, 3, "b")
        #expect(table.map(\.id) == [1, 2, 0, 3])
        Self.changes[way](&table, 1, "c")
        Self.changes[way](&table, 1, "b")
        #expect(table.map(\.id) == [2, 0, 3, 1])
    }

    @Test(arguments: changes.indices)
    func `a row that is equal to what it was in the order stays among its equals`(way: Int) {
        var table = table("b", "b", "b")
        let mark = table.mark
        for id in 0..<3 { table[id: id]?.isFaceUp = true }
        Self.changes[way](&table, 1, "b")
        #expect(table.map(\.id) == [0, 1, 2])
        #expect(table.loggedChanges(since: mark)?.moved == [])
    }

    @Test func `of equal rows, the one that came last stands last`() {
        var table = EntityTable<TitledCard>()
        for id in 0..<100 { table.append(TitledCard(id: id, title: id % 2 == 0 ? "a" : "b")) }
        #expect(
            table.map(\.id) == (0..<100).filter { $0 % 2 == 0 } + (0..<100).filter { $0 % 2 == 1 })
    }

    @Test func `a table is sorted however it is made, and equal rows keep their order`() throws {
        let rows = (0..<200).map { TitledCard(id: $0, title: "\($0 * 37 % 5)") }
        let sorted = rows.sorted(by: byTitle)
        #expect(Array(try EntityTable(rows)) == sorted)
        #expect(Array(EntityTable(rows) { first, _ in first }) == sorted)
        var table = EntityTable<TitledCard>()
        table.append(contentsOf: rows)
        #expect(Array(table) == sorted)
        table.removeAll()
        table.append(contentsOf: rows.prefix(20))
        #expect(Array(table) == rows.prefix(20).sorted(by: byTitle))
        let literal: EntityTable = [
            TitledCard(id: 1, title: "b"), TitledCard(id: 2, title: "a"),
        ]
        #expect(literal.map(\.id) == [2, 1])
    }

    @Test func `code that does not know the rows makes a sorted table, too`() throws {
        func make<Row: Identifiable>(_ rows: [Row]) throws -> EntityTable<Row> {
            try EntityTable(rows)
        }
        let rows = [TitledCard(id: 1, title: "b"), TitledCard(id: 2, title: "a")]
        #expect(try make(rows).map(\.id) == [2, 1])
    }

    @Test func `combined rows stand where the first of them would`() {
        let rows = [(1, "b"), (2, "a"), (3, "b"), (1, "b")].map { TitledCard(id: $0, title: $1) }
        #expect(EntityTable(rows) { $1 }.map(\.id) == [2, 1, 3])
    }

    @Test func `rows are shown in a second order, whose equals keep theirs`() {
        let table = table("b", "a", "b", "7")
        #expect(table.sorted(by: RowOrder { $0.id > $1.id }).map(\.id) == [3, 2, 1, 0])
        #expect(table.sorted(by: RowOrder(\.title.count)).map(\.id) == table.map(\.id))
    }

    @Test func `a key that does not equal itself comes last, at once and row by row`() {
        let titles = ["7", "3", "17", "1", "27", "2"]
        let rows = titles.enumerated().map { WeighedCard(id: $0, title: $1) }
        var table = EntityTable<WeighedCard>()
        for row in rows { table.append(row) }
        #expect(table.map(\.title) == ["1", "2", "3", "7", "17", "27"])
        #expect(Array(table) == rows.sorted(by: WeighedCard.order))
        #expect(Array(table) == rows.reversed().reversed().sorted(by: RowOrder(\.weight)))
        table[id: 0]?.title = "0"
        table[id: 3]?.title = "37"
        #expect(table.map(\.title) == ["0", "2", "3", "17", "27", "37"])
    }
}
