// SPDX-License-Identifier: MIT

import Testing

@testable import EntityTables

@Suite struct EntityTableMistakeTests {
    @Test func `an update that changes the id says what to do instead`() async {
        await #expect(processExitsWith: .failure) {
            var table: EntityTable<Card> = [Card(id: 1)]
            table.update(id: 1) { $0.id = 2 }
        }
        await #expect(processExitsWith: .failure) {
            var table: EntityTable<Card> = [Card(id: 1)]
            table[id: 1]?.id = 2
        }
        await #expect(processExitsWith: .failure) {
            var table: EntityTable<Card> = []
            table[id: 1] = Card(id: 2)
        }
        #expect(
            EntityTableMistake.changedID(from: 1, to: 2, of: Card.self) == """
                An update of the row with the id 1 in an EntityTable<Card> gave it the id 2. A row \
                keeps its id, since all who know the row know it by that. To fix this, use \
                rename(id:to:), or remove the row and add one with the new id.
                """)
    }

    @Test func `placing a row by hand in a sorted table says what to do instead`() async {
        await #expect(processExitsWith: .failure) {
            var table = EntityTable<TitledCard>()
            table.insert(TitledCard(id: 1), at: 0)
        }
        await #expect(processExitsWith: .failure) {
            var table = EntityTable<TitledCard>()
            table.append(TitledCard(id: 1))
            table.move(id: 1, to: 0)
        }
        #expect(
            EntityTableMistake.placingInSorted("move(id:to:)", of: Card.self) == """
                move(id:to:) was called on a sorted EntityTable<Card>, which finds the places of \
                its rows itself. To fix this, use append(_:), and give the rows a property that \
                their order compares.
                """)
    }

    @Test func `a position out of bounds is reported with the positions that make sense`() async {
        await #expect(processExitsWith: .failure) {
            var table: EntityTable<Card> = [Card(id: 1)]
            table.insert(Card(id: 2), at: 2)
        }
        await #expect(processExitsWith: .failure) {
            var table: EntityTable<Card> = [Card(id: 1)]
            table.move(id: 1, to: 1)
        }
        await #expect(processExitsWith: .failure) {
            let table: EntityTable<Card> = [Card(id: 1)]
            _ = table[1]
        }
        #expect(
            EntityTableMistake.outOfBounds(2, 0...1, "insert(_:at:)", of: Card.self) == """
                insert(_:at:) was called with the position 2 on an EntityTable<Card>, where only 0 \
                to 1 make sense. To fix this, look at the table's count first.
                """)
    }

    @Test func `a literal with an id twice is reported with the id`() async {
        await #expect(processExitsWith: .failure) {
            let table: EntityTable<Card> = [Card(id: 1), Card(id: 1)]
            _ = table
        }
        #expect(
            EntityTableMistake.duplicateInLiteral(.duplicateID(1, position: 1, of: Card.self))
                == """
                An array literal of Card cannot be an EntityTable: row 1 has the id 1, as a row \
                before it has. To fix this, give each row an id of its own, or use \
                init(_:uniquing:) for rows whose ids may not be unique.
                """)
    }

    @Test func `a row whose id changes behind the table's back is detected`() async {
        await #expect(processExitsWith: .failure) {
            final class Shifty: Identifiable {
                var id = 1
            }
            let row = Shifty()
            let table: EntityTable<Shifty> = [row]
            row.id = 2
            _ = table[id: 1]
        }
        #expect(
            EntityTableMistake.unstableID(1, of: Card.self) == """
                The row which an EntityTable<Card> keeps under the id 1 now says that its id is \
                another. An id must be a part of the row's value. To fix this, make the row a \
                struct, or its id a constant.
                """)
    }

    @Test func `changes that do not fit the table are detected`() async {
        await #expect(processExitsWith: .failure) {
            let newer: EntityTable<Card> = [Card(id: 1), Card(id: 2)]
            var changes = EntityChanges<Int>()
            changes.inserted = [2]
            _ = EntityTable<Card>().applying(changes, from: newer)
        }
        #expect(
            EntityTableMistake.strangeChanges(2, of: Card.self) == """
                applying(_:from:) cannot put the row with the id 2 of an EntityTable<Card> in its \
                place: the changes do not lead from this table to the newer one. To fix this, pass \
                what newer.changes(since: older) returned for these two tables.
                """)
    }
}
