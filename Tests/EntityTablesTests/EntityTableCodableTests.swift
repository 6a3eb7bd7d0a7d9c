// SPDX-License-Identifier: MIT

import EntityTables
import Foundation
import Testing

@Suite struct EntityTableCodableTests {
    func json(_ rows: [Card]) throws -> Data {
        try JSONEncoder().encode(rows)
    }

    @Test func `is coded as the array of its rows`() throws {
        let rows = [Card(id: 2, title: "b"), Card(id: 1, title: "a")]
        let table = try EntityTable(rows)
        #expect(try JSONDecoder().decode([Card].self, from: JSONEncoder().encode(table)) == rows)
        #expect(try JSONDecoder().decode(EntityTable<Card>.self, from: json(rows)) == table)
        #expect(try JSONDecoder().decode(EntityTable<Card>.self, from: json([])).isEmpty)
    }

    @Test func `an id that occurs twice is refused with its path`() throws {
        let data = try json([Card(id: 1), Card(id: 2), Card(id: 1)])
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                [String: EntityTable<Card>].self,
                from: Data("{\"cards\":".utf8) + data + Data("}".utf8))
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("not a corruption: \(String(describing: error))")
            return
        }
        #expect(context.codingPath.first?.stringValue == "cards")
        #expect(context.debugDescription == "row 2 (Card) has the id 1, as a row before it has")
    }

    @Test func `a table of sorted rows is sorted however they were written, and stays so`() throws {
        let rows = [
            TitledCard(id: 1, title: "b"), TitledCard(id: 2, title: "a"),
            TitledCard(id: 3, title: "b"),
        ]
        var cards = try JSONDecoder().decode(
            [String: EntityTable<TitledCard>].self, from: JSONEncoder().encode(["cards": rows]))
        #expect(cards["cards"]?.map(\.id) == [2, 1, 3])
        cards["cards"]?.append(TitledCard(id: 4, title: "a"))
        #expect(cards["cards"]?.map(\.id) == [2, 4, 1, 3])
    }

    @Test(arguments: ["{}", "7", "null", "[null]", "[{\"id\": \"x\"}]", "[[]]"])
    func `anything but an array of rows is refused`(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(EntityTable<Card>.self, from: Data(text.utf8))
        }
    }
}
