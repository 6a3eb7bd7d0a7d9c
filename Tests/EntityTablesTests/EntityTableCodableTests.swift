// SPDX-License-Identifier: MIT

import EntityTables
import Foundation
import Testing

@Suite struct EntityTableCodableTests {
    let byTitleOrder = RowOrder<Card>(byTitle)

    /// A state with a sorted table, as a user would decode it.
    struct Shelf: Decodable {
        let cards: EntityTable<Card>

        enum CodingKeys: CodingKey { case cards }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            cards = try EntityTable(
                from: container.superDecoder(forKey: .cards), sortedBy: RowOrder(byTitle))
        }
    }

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

    @Test func `a sorted table decodes rows that are in order, and stays sorted`() throws {
        let data = try JSONEncoder().encode([
            "cards": [Card(id: 1, title: "a"), Card(id: 2, title: "c")]
        ])
        var cards = try JSONDecoder().decode(Shelf.self, from: data).cards
        cards.append(Card(id: 3, title: "b"))
        #expect(cards.map(\.id) == [1, 3, 2])
    }

    @Test func `a sorted table refuses rows that are not in order`() throws {
        let data = try JSONEncoder().encode([
            "cards": [Card(id: 1, title: "b"), Card(id: 2, title: "a")]
        ])
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Shelf.self, from: data)
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("not a corruption: \(String(describing: error))")
            return
        }
        #expect(
            context.debugDescription
                == "row 1 (Card, id 2) ought to stand before the row on its left")
    }

    @Test(arguments: ["{}", "7", "null", "[null]", "[{\"id\": \"x\"}]", "[[]]"])
    func `anything but an array of rows is refused`(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(EntityTable<Card>.self, from: Data(text.utf8))
        }
    }
}
