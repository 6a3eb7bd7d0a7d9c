// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import EntityTables
@testable import struct TestSupport.SeededGenerator

/// Random operations on a table and on the plain array that it must behave like.
///
/// 135,000 operations in all. A failure names the seed, which repeats it.
@Suite struct EntityTableModelTests {
    @Test(
        arguments: [(1, 40, 40_000), (2, 400, 25_000), (3, 1_200, 15_000)] as [(UInt64, Int, Int)])
    func `behaves like a plain array, and so does every old version`(
        seed: UInt64, ids: Int, operations: Int
    ) throws {
        var run = ModelRun<Card>(seed: seed, ids: ids)
        try run.perform(operations: operations)
        #expect(run.answeredMarks > 20)
        #expect(run.renamings > 5)
    }

    @Test(arguments: [(4, 40, 15_000), (5, 400, 10_000)] as [(UInt64, Int, Int)])
    func `behaves like an array that is kept sorted, the newest last among equals`(
        seed: UInt64, ids: Int, operations: Int
    ) throws {
        var run = ModelRun<TitledCard>(seed: seed, ids: ids)
        try run.perform(operations: operations)
        #expect(run.answeredMarks > 5)
    }

    @Test(arguments: [(6, 60, 10_000), (7, 300, 5_000)] as [(UInt64, Int, Int)])
    func `keeps rows without a number last, as all of them are equal`(
        seed: UInt64, ids: Int, operations: Int
    ) throws {
        var run = ModelRun<WeighedCard>(seed: seed, ids: ids)
        try run.perform(operations: operations)
        #expect(run.answeredMarks > 5)
    }

    @Test(arguments: [(8, 60, 10_000), (9, 300, 5_000)] as [(UInt64, Int, Int)])
    func `is sorted by several properties, each of which moves a row`(
        seed: UInt64, ids: Int, operations: Int
    ) throws {
        var run = ModelRun<RankedCard>(seed: seed, ids: ids)
        try run.perform(operations: operations)
        #expect(run.answeredMarks > 3)
    }
}

/// A table, the array it must be equal to, and old versions of both.
private struct ModelRun<Row: CardRow> {
    let seed: UInt64
    let ids: Int
    var table = EntityTable<Row>()
    var model: CardModel<Row>
    var held: [(table: EntityTable<Row>, model: CardModel<Row>)] = []
    var marked: [(mark: EntityMark, model: CardModel<Row>)] = []
    var answeredMarks = 0
    var lostMarks = 0
    var renamings = 0
    var random: SeededGenerator

    var isSorted: Bool { model.order != nil }

    init(seed: UInt64, ids: Int) {
        self.seed = seed
        self.ids = ids
        model = CardModel(order: table.order)
        random = SeededGenerator(seed: seed)
    }

    mutating func perform(operations: Int) throws {
        for step in 1...operations {
            // Grow and shrink in turn, so that nodes of all levels are split and joined.
            let isGrowing = step / (ids * 2) % 2 == 0
            performOne(isGrowing: isGrowing)
            if step % ids == 0 { table.checkInvariants() }
            if step % 101 == 0 { keepVersion() }
            if isSorted, step % 1_499 == 0 { try restart() }
            if step % 2_503 == 0 { try compare(step) }
        }
        try compare(operations)
    }

    /// Reads the table anew: as it was written, or as another program might write it.
    mutating func restart() throws {
        if Bool.random(using: &random) {
            let rows = model.rows.shuffled(using: &random)
            table = try JSONDecoder().decode(
                EntityTable<Row>.self, from: JSONEncoder().encode(rows))
            return model.reload(rows)
        }
        table = try JSONDecoder().decode(EntityTable<Row>.self, from: JSONEncoder().encode(table))
    }

    mutating func performOne(isGrowing: Bool) {
        let id = Int.random(in: 0..<ids, using: &random)
        let card = Row(
            id: id, title: String(Int.random(in: 0..<20, using: &random)),
            isFaceUp: Bool.random(using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3 where isGrowing, 0:
            add(card)
        case 1..<4:
            remove(id)
        case 4:
            table[id: id]?.isFaceUp.toggle()
            model.update(id) { $0.isFaceUp.toggle() }
        case 5, 6:
            let old = table.update(id: id) { row in
                defer { row.title = card.title }
                return row.title
            }
            expect(old == model[id]?.title, "update returns what its body returns")
            model.update(id) { $0.title = card.title }
        case 7 where !isGrowing:
            let old = Int.random(in: 0..<ids, using: &random)
            expect(
                table.rename(id: old, to: card) == model.rename(old, to: card),
                "rename says whether it did")
        case 7:
            table[id: id] = card
            if !model.update(id, { $0 = card }) { model.append(card) }
        default:
            move(id)
        }
    }

    mutating func add(_ card: Row) {
        if isSorted || Bool.random(using: &random) {
            expect(table.append(card) == model.append(card), "append says whether it did")
        } else {
            let position = Int.random(in: 0...table.count, using: &random)
            let isNew = table.insert(card, at: position)
            expect(isNew == model.insert(card, at: position), "insert says whether it did")
        }
    }

    mutating func remove(_ id: Int) {
        let gone = model.remove(id)
        if Bool.random(using: &random) {
            expect(table.remove(id: id) == gone, "remove returns the row")
        } else {
            table[id: id] = nil
        }
    }

    mutating func move(_ id: Int) {
        guard !isSorted, !table.isEmpty else { return }
        let position = Int.random(in: 0..<table.count, using: &random)
        expect(table.move(id: id, to: position) == model.move(id, to: position), "move")
    }

    /// Keeps a version, or goes on from an old one, so that histories branch.
    mutating func keepVersion() {
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<2:
            held.append((table, model))
        case 2..<6:
            marked.append((table.mark, model))
        case 6:
            guard let index = held.indices.randomElement(using: &random) else { return }
            (held[index], (table, model)) = ((table, model), held[index])
        default:
            if held.count > 3 { held.removeFirst(2) }
            if marked.count > 6 { marked.removeFirst(3) }
        }
    }

    mutating func compare(_ step: Int) throws {
        table.checkInvariants()
        expect(Array(table) == model.rows, "the rows are the model's, in its order")
        expect(Array(table.ids) == model.rows.map(\.id), "so are the ids")
        for (position, row) in model.rows.enumerated() {
            expect(table[position] == row, "each row is found by its position")
            expect(table[id: row.id] == row, "each row is found by its id")
            expect(table.index(id: row.id) == position, "each id has its position")
        }
        for (old, oldModel) in held {
            old.checkInvariants()
            expect(Array(old) == oldModel.rows, "an old version stays as it was")
            expect((old == table) == (oldModel.rows == model.rows), "== compares rows and order")
            check(table.changes(since: old), since: oldModel)
            check(old.changes(since: table), since: model, to: (old, oldModel))
            let (oldByID, byID) = (oldModel.byID, model.byID)
            let difference = table.tree.changes(since: old.tree, areSame: ==)
            check(difference, since: oldModel)
            expect(
                difference.updated.allSatisfy { oldByID[$0] != byID[$0] },
                "a difference of trees lists as updated only what differs")
        }
        for (mark, oldModel) in marked {
            guard let changes = table.loggedChanges(since: mark) else {
                lostMarks += 1
                continue
            }
            answeredMarks += 1
            check(changes, since: oldModel)
            checkNames(changes, since: oldModel)
        }
    }

    func check(
        _ changes: EntityChanges<Int>, since oldModel: CardModel<Row>,
        to new: (table: EntityTable<Row>, model: CardModel<Row>)? = nil
    ) {
        let (table, model) = new ?? (table, model)
        let (old, new) = (oldModel.byID, model.byID)
        let (oldIDs, newIDs) = (Set(old.keys), Set(new.keys))
        let moved = Set(changes.moved)
        expect(
            changes.inserted == model.rows.map(\.id).filter { old[$0] == nil },
            "inserted are the ids that only the newer has, in its order")
        expect(
            Set(changes.removed) == oldIDs.subtracting(newIDs)
                && changes.removed.count == Set(changes.removed).count,
            "removed are the ids that only the older has")
        expect(
            oldModel.rows.map(\.id).filter { new[$0] != nil && !moved.contains($0) }
                == model.rows.map(\.id).filter { old[$0] != nil && !moved.contains($0) },
            "what was not moved stands in the same order")
        expect(
            Set(changes.updated).isSuperset(
                of: oldIDs.intersection(newIDs).filter { old[$0] != new[$0] }),
            "updated are at least the rows that differ")
        guard let base = try? EntityTable(oldModel.rows) else {
            return expect(false, "a model has each id once")
        }
        let replayed = base.applying(changes, from: table)
        replayed.checkInvariants()
        expect(Array(replayed) == model.rows, "the changes lead from the older to the newer")
    }

    /// The rows that had other ids are those which were born as the same.
    mutating func checkNames(_ changes: EntityChanges<Int>, since oldModel: CardModel<Row>) {
        let ids = Dictionary(uniqueKeysWithValues: model.births.map { ($1, $0) })
        var renamed: [Int: Int] = [:]
        for (old, birth) in oldModel.births {
            if let new = ids[birth], new != old { renamed[old] = new }
        }
        expect(changes.renamed == renamed, "renamed are the rows with other ids")
        if !renamed.isEmpty { renamings += 1 }
    }

    func expect(
        _ isAsPromised: Bool, _ promise: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        if !isAsPromised {
            Issue.record("\(promise) (seed \(seed))", sourceLocation: sourceLocation)
        }
    }
}
