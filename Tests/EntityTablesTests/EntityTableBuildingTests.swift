// SPDX-License-Identifier: MIT

import Testing

@testable import EntityTables
@testable import struct TestSupport.SeededGenerator

/// A row whose id has one of three hashes only.
private struct Clashing: Identifiable, Equatable, Sendable {
    struct ID: Hashable, Sendable {
        let number: Int

        func hash(into hasher: inout Hasher) { hasher.combine(number % 3) }
    }

    let id: ID
    var title = ""

    init(_ number: Int) {
        id = ID(number: number)
    }
}

@Suite struct EntityTableBuildingTests {
    @Test(arguments: [11, 12, 13] as [UInt64])
    func `a table of a sequence behaves like one that grew, also in copies`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let ids = (0..<2_000).shuffled(using: &random)
        var model = ids.map { Card(id: $0) }
        var table = try EntityTable(model)
        var held: [(EntityTable<Card>, [Card])] = []
        for step in 0..<3_000 {
            let position = Int.random(in: 0..<model.count, using: &random)
            let id = model[position].id
            switch step % 4 {
            case 0:
                #expect(table.remove(id: id) == model.remove(at: position), "seed \(seed)")
            case 1:
                let isNew = table.insert(Card(id: 2_000 + step), at: position)
                #expect(isNew, "seed \(seed)")
                model.insert(Card(id: 2_000 + step), at: position)
            case 2:
                table[id: id]?.isFaceUp.toggle()
                model[position].isFaceUp.toggle()
            default:
                let isNew = table.append(Card(id: id))
                #expect(!isNew, "seed \(seed)")
            }
            if step % 600 == 0 { held.append((table, model)) }
        }
        for (table, model) in held + [(table, model)] {
            table.checkInvariants()
            #expect(Array(table) == model, "seed \(seed)")
            #expect(model.allSatisfy { table[id: $0.id] == $0 }, "seed \(seed)")
        }
    }

    @Test func `names the first row with an id that came before, wherever its hash lies`() {
        for count in [2, 40, 3_000] {
            for (earlier, later) in [(0, count - 1), (count / 2 - 1, count / 2)] {
                var rows = (0..<count).map { Card(id: $0) }
                rows[later].id = rows[earlier].id
                rows.append(Card(id: 0))
                rows.append(rows[count - 1])
                #expect {
                    _ = try EntityTable(rows)
                } throws: { error in
                    (error as? EntityTableError)?.position == later
                }
            }
        }
    }

    @Test func `rows whose ids have the same hash are different rows`() throws {
        let rows = (0..<300).map(Clashing.init)
        var grown: EntityTable<Clashing> = []
        grown.append(contentsOf: rows)
        for var table in [try EntityTable(rows), grown] {
            table.checkInvariants()
            #expect(rows.allSatisfy { table[id: $0.id] == $0 })
            #expect(table[id: Clashing.ID(number: 300)] == nil)
            table.update(id: Clashing.ID(number: 7)) { $0.title = "seven" }
            for number in stride(from: 0, to: 300, by: 2) {
                #expect(table.remove(id: Clashing.ID(number: number))?.id.number == number)
            }
            table.checkInvariants()
            #expect(table.map(\.id.number) == Array(stride(from: 1, to: 300, by: 2)))
            #expect(table.filter { $0.title == "seven" }.map(\.id.number) == [7])
        }
        #expect(throws: EntityTableError.self) { _ = try EntityTable(rows + [Clashing(5)]) }
    }
}
