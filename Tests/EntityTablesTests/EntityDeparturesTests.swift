// SPDX-License-Identifier: MIT

import Testing

@testable import EntityTables

@Suite struct EntityDeparturesTests {
    private struct Row: Identifiable, Equatable {
        let id: Int
        var text = ""
    }

    private var table: EntityTable<Row> = [Row(id: 1), Row(id: 2), Row(id: 3)]

    private func departed(since mark: EntityMark) -> [Int] {
        (0...3).filter { table.departures(since: mark).contains($0) }
    }

    @Test
    mutating func `names the rows that left, also when another one of the id came later`() {
        let mark = table.mark
        #expect(table.departures(since: mark).isEmpty)
        table[id: 1]?.text = "changed"
        table.move(id: 1, to: 2)
        table[id: 2] = nil
        table[id: 2] = Row(id: 2)
        table.remove(id: 3)
        #expect(departed(since: mark) == [2, 3])
        #expect(table.departures(since: table.mark).isEmpty)
    }

    @Test
    mutating func `clearing takes all rows out, until the log no longer reaches back to it`() {
        let mark = table.mark
        table.removeAll()
        #expect(departed(since: mark) == [0, 1, 2, 3])
        table.append(Row(id: 1))
        #expect(departed(since: mark) == [0, 1, 2, 3])
        let later = table.mark
        table.append(Row(id: 2))
        #expect(departed(since: later) == [])
        for number in 0..<2_000 { table[id: 1]?.text = "\(number)" }
        #expect(departed(since: later) == [])
    }

    @Test
    mutating func `names no row where the log does not know`() {
        let mark = table.mark
        table = [Row(id: 9)]
        #expect(departed(since: mark) == [])
    }
}
