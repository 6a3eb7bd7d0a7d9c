// SPDX-License-Identifier: MIT

import EntityTables
import Testing

@Suite struct EntityTableTests {
    let ann = Card(id: 1, title: "Ann")
    let bob = Card(id: 2, title: "Bob")
    let eve = Card(id: 3, title: "Eve")

    @Test func `keeps rows where they were put`() {
        var table: EntityTable<Card> = [ann, bob]
        table.insert(eve, at: 1)
        #expect(Array(table) == [ann, eve, bob])
        #expect(Array(table.ids) == [1, 3, 2])
        #expect(table.index(id: 2) == 2)
        #expect(table.index(id: 4) == nil)
    }

    @Test func `has each id once, and says whether a row was added`() {
        var table: EntityTable<Card> = [ann]
        let impostor = Card(id: 1, title: "Impostor")
        let cameIn = [table.append(impostor), table.insert(impostor, at: 0), table.append(bob)]
        #expect(cameIn == [false, false, true])
        #expect(Array(table) == [ann, bob])
    }

    @Test func `adds many rows, each id once`() {
        var table: EntityTable<Card> = [ann]
        let mark = table.mark
        #expect(table.append(contentsOf: [bob, Card(id: 1, title: "Impostor"), eve, bob]) == 2)
        #expect(Array(table) == [ann, bob, eve])
        #expect(table.loggedChanges(since: mark)?.inserted == [2, 3])
    }

    @Test func `replaces many rows in their places, and adds the others`() {
        var table: EntityTable<Card> = [ann, bob]
        let mark = table.mark
        let robert = Card(id: 2, title: "Robert")
        #expect(table.upsert(contentsOf: [robert, eve, Card(id: 3, title: "Eva")]) == 1)
        #expect(table.map(\.title) == ["Ann", "Robert", "Eva"])
        #expect(table.loggedChanges(since: mark)?.updated == [2])
        #expect(table.loggedChanges(since: mark)?.inserted == [3])
        var sorted: EntityTable<TitledCard> = [
            TitledCard(id: 1, title: "Ann"), TitledCard(id: 2, title: "Robert"),
        ]
        sorted.upsert(contentsOf: [
            TitledCard(id: 1, title: "Zoe"), TitledCard(id: 4, title: "Mia"),
        ])
        #expect(sorted.map(\.title) == ["Mia", "Robert", "Zoe"])
    }

    @Test func `removes the rows that fulfil a condition, and none where that throws`() {
        struct Stop: Error {}
        var table: EntityTable<Card> = [ann, bob, eve]
        let mark = table.mark
        #expect(throws: Stop.self) {
            try table.removeAll { row in
                if row.id == 3 { throw Stop() }
                return true
            }
        }
        #expect(table.count == 3)
        #expect(table.removeAll { $0.id != 2 } == 2)
        #expect(Array(table) == [bob])
        #expect(table.loggedChanges(since: mark)?.removed == [1, 3])
        #expect(table.removeAll { _ in false } == 0)
    }

    @Test func `sets, appends and removes through the id subscript`() {
        var table: EntityTable<Card> = [ann, bob, eve]
        table[id: 2]?.title = "Robert"
        #expect(table[id: 2]?.title == "Robert")
        table[id: 4] = Card(id: 4)
        #expect(Array(table.ids) == [1, 2, 3, 4])
        table[id: 1] = nil
        table[id: 7] = nil
        table[id: 7]?.title = "Nobody"
        #expect(Array(table.ids) == [2, 3, 4])
    }

    @Test func `an update returns what its body returns, and nil where there is no row`() {
        var table: EntityTable<Card> = [ann]
        let cut = table.update(id: 1) { $0.title.removeLast() }
        #expect(cut == "n")
        #expect(table[id: 1]?.title == "An")
        let absent = table.update(id: 2) { $0.title.removeLast() }
        #expect(absent == nil)
    }

    @Test func `an update that throws keeps what it did, and is a change`() {
        struct Stop: Error {}
        var table: EntityTable<Card> = [ann]
        let mark = table.mark
        #expect(throws: Stop.self) {
            try table.update(id: 1) { row in
                row.isFaceUp = true
                throw Stop()
            }
        }
        #expect(table[id: 1]?.isFaceUp == true)
        #expect(table.loggedChanges(since: mark)?.updated == [1])
    }

    @Test func `changes a row in place: nothing else holds its parts meanwhile`() {
        final class Witness: @unchecked Sendable {}
        struct Row: Identifiable {
            let id: Int
            var witness = Witness()
            var isAlone: Bool {
                mutating get { isKnownUniquelyReferenced(&witness) }
            }
        }
        var table: EntityTable<Row> = [Row(id: 1), Row(id: 2)]
        let isFirstAlone = table[id: 1]?.isAlone
        #expect(isFirstAlone == true)
        let isSecondAlone = table.update(id: 2) { $0.isAlone }
        #expect(isSecondAlone == true)
        let copy = table
        let isFirstStillAlone = table[id: 1]?.isAlone
        #expect(isFirstStillAlone == false)
        #expect(copy.count == 2)
    }

    @Test func `moves a row to the position it has afterwards`() {
        var table: EntityTable<Card> = [ann, bob, eve]
        table.move(id: 1, to: 2)
        #expect(Array(table.ids) == [2, 3, 1])
        table.move(id: 1, to: 0)
        #expect(Array(table.ids) == [1, 2, 3])
        let hasMoved = [table.move(id: 9, to: 0), table.move(id: 2, to: 1)]
        #expect(hasMoved == [false, true])
    }

    @Test func `a copy does not see what happens to the other`() {
        var table: EntityTable<Card> = [ann, bob]
        var copy = table
        table[id: 1] = nil
        copy.append(eve)
        #expect(Array(table) == [bob])
        #expect(Array(copy) == [ann, bob, eve])
    }

    @Test func `copies can be changed on many threads at once`() async throws {
        let shared = try EntityTable((0..<2_000).map { Card(id: $0) })
        let mark = shared.mark
        let updated = await withTaskGroup(of: Int?.self, returning: [Int?].self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var mine = shared
                    for id in 0..<50 { mine[id: id * 8 + worker]?.isFaceUp = true }
                    return mine.loggedChanges(since: mark)?.updated.count
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(updated == Array(repeating: 50, count: 8))
        #expect(shared.allSatisfy { !$0.isFaceUp })
    }

    @Test func `a cleared table is empty and can be filled again`() {
        var table: EntityTable<Card> = [ann, bob]
        let mark = table.mark
        table.removeAll()
        #expect(table.isEmpty && table[id: 1] == nil)
        #expect(table.loggedChanges(since: mark) == nil)
        table.append(ann)
        #expect(Array(table) == [ann])
    }

    @Test func `data with an id that occurs twice is refused, with its id and position`() {
        #expect(
            throws: EntityTableError.self,
            performing: { try EntityTable([ann, bob, Card(id: 1)]) })
        do throws(EntityTableError) {
            _ = try EntityTable([ann, bob, Card(id: 1)])
        } catch {
            #expect(error.code == .duplicateID)
            #expect(error.position == 2)
            #expect(
                error.description == "row 2 (Card) has the id 1, as a row before it has")
        }
    }

    @Test func `rows with one id can be combined, in the place of the first`() {
        let table = EntityTable([ann, bob, Card(id: 1, title: "Anne")]) { first, second in
            Card(id: 1, title: first.title + second.title)
        }
        #expect(Array(table) == [Card(id: 1, title: "AnnAnne"), bob])
    }

    @Test func `tables are equal if their rows are, however they got there`() {
        var table: EntityTable<Card> = [bob, ann, eve]
        table.move(id: 1, to: 0)
        #expect(table == [ann, bob, eve])
        #expect(table.hashValue == ([ann, bob, eve] as EntityTable).hashValue)
        #expect(table != [ann, eve, bob])
        #expect(table != [ann, bob])
        table[id: 2]?.isFaceUp = true
        #expect(table != [ann, bob, eve])
    }

    @Test func `shows its rows`() {
        let table: EntityTable<Card> = [ann, bob]
        #expect(table.description == [ann, bob].description)
        #expect(table.customMirror.children.compactMap { $0.value as? Card } == [ann, bob])
    }

    @Test func `slices and reversed views are those of the rows`() {
        let table = EntityTable((0..<1_000).map { Card(id: $0) }) { first, _ in first }
        #expect(table[100..<103].map(\.id) == [100, 101, 102])
        #expect(table.reversed().map(\.id) == (0..<1_000).reversed())
        #expect(table.suffix(2).map(\.id) == [998, 999])
    }

    @Test func `appending rows whose ids have one hash compares each id about once`() {
        struct Same: Identifiable, Sendable {
            struct ID: Hashable, Sendable {
                let number: Int
                let compared: Tally

                static func == (left: ID, right: ID) -> Bool {
                    left.compared.count += 1
                    return left.number == right.number
                }

                func hash(into hasher: inout Hasher) { hasher.combine(0) }
            }
            let id: ID
        }
        final class Tally: @unchecked Sendable { var count = 0 }  // Used by this test alone.
        let tally = Tally()
        var table = EntityTable<Same>()
        for number in 0..<2_000 { table.append(Same(id: .init(number: number, compared: tally))) }
        tally.count = 0
        table.append(Same(id: .init(number: 2_000, compared: tally)))
        #expect(tally.count <= 2_200)
        #expect(table[id: .init(number: 1_234, compared: tally)]?.id.number == 1_234)
        #expect(table.remove(id: .init(number: 1_234, compared: tally))?.id.number == 1_234)
        #expect(table.count == 2_000)
    }
}
