// SPDX-License-Identifier: MIT

import Testing

@testable import EntityTables
@testable import struct TestSupport.SeededGenerator

@Suite struct RowIndexTests {
    /// The leaves to which the clues of a hash lead, sorted.
    func leaves(of hash: UInt32, in index: RowIndex) -> [UInt32] {
        var leaves: [UInt32] = []
        var tried = 0
        while let clue = index.nextClue(of: hash, from: &tried) { leaves.append(clue.leaf) }
        return leaves.sorted()
    }

    @Test(arguments: [8, 9] as [UInt64])
    func `behaves like a dictionary of lists, and so does every old version`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // Few hashes, so that many rows have the same one, and all bits of them.
        let hashes = (0..<300).map { _ in UInt32.random(in: 0...UInt32.max, using: &random) }
        var model: [UInt32: [UInt32]] = [:]
        var index = RowIndex()
        var held: [(index: RowIndex, model: [UInt32: [UInt32]])] = []
        for step in 0..<6_000 {
            let hash = hashes[Int.random(in: 0..<hashes.count, using: &random)]
            let leaf = UInt32.random(in: 0..<40, using: &random)
            let old = model[hash, default: []].randomElement(using: &random)
            switch (Int.random(in: 0..<5, using: &random), old) {
            case (0, let old?):
                let isKnown = index.remove(hash, from: old)
                #expect(isKnown, "seed \(seed)")
                model[hash]?.remove(old)
            case (1, let old?):
                let clue = RowIndex.Clue(leaf: leaf, slot: 7)
                let isKnown = index.move(hash, from: old, to: clue)
                #expect(isKnown, "seed \(seed)")
                model[hash]?.remove(old)
                model[hash]?.append(leaf)
            default:
                index.insert(hash, RowIndex.Clue(leaf: leaf, slot: step % 32))
                model[hash, default: []].append(leaf)
            }
            if step % 1_000 == 0 { held.append((index, model)) }
        }
        for (index, model) in held + [(index, model)] {
            #expect(index.count == model.values.reduce(0) { $0 + $1.count }, "seed \(seed)")
            for hash in hashes {
                #expect(leaves(of: hash, in: index) == model[hash, default: []].sorted())
            }
        }
    }

    @Test(arguments: [0, 1, 12, 13, 48, 49, 1_000, 30_000])
    func `an index that is built at once is like one that grew`(count: Int) {
        var random = SeededGenerator(seed: 10)
        let hashes = (0..<count).map { _ in UInt32.random(in: 0...UInt32.max, using: &random) }
        var grown = RowIndex()
        var entries: ContiguousArray<RowIndex.Entry> = []
        for (leaf, hash) in hashes.enumerated() {
            let clue = RowIndex.Clue(leaf: UInt32(leaf), slot: 0)
            grown.insert(hash, clue)
            entries.append(RowIndex.Entry(hash: hash, clue: clue))
        }
        var built = RowIndex(entries)
        for number in 0..<2 {
            #expect(built.count == grown.count)
            #expect(hashes.allSatisfy { leaves(of: $0, in: built) == leaves(of: $0, in: grown) })
            for hash in hashes {
                let clue = RowIndex.Clue(leaf: 100_000, slot: number)
                built.insert(hash, clue)
                grown.insert(hash, clue)
            }
        }
    }

    @Test func `forgets and moves only what it knows`() {
        var index = RowIndex()
        index.insert(5, RowIndex.Clue(leaf: 1, slot: 0))
        let knew = [
            index.remove(5, from: 2), index.remove(6, from: 1),
            index.move(5, from: 2, to: RowIndex.Clue(leaf: 3, slot: 0)),
        ]
        #expect(knew == [false, false, false])
        #expect(leaves(of: 5, in: index) == [1])
    }
}

extension Array where Element: Equatable {
    fileprivate mutating func remove(_ element: Element) {
        if let position = firstIndex(of: element) { remove(at: position) }
    }
}
