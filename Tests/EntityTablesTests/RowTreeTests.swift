// SPDX-License-Identifier: MIT

import Testing

@testable import EntityTables
@testable import struct TestSupport.SeededGenerator

@Suite struct RowTreeTests {
    @Test(arguments: [6, 7] as [UInt64])
    func `splits and joins nodes on all levels, and stays balanced`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var tree = RowTree<Card>()
        var ids: [Int] = []
        for id in 0..<6_000 {
            let position = Int.random(in: 0...ids.count, using: &random)
            tree.insert(Card(id: id), at: position)
            ids.insert(id, at: position)
            if id % 500 == 0 { tree.checkInvariants() }
        }
        #expect((0..<ids.count).allSatisfy { tree[$0].id == ids[$0] }, "seed \(seed)")
        while !ids.isEmpty {
            let id = ids.remove(at: Int.random(in: 0..<ids.count, using: &random))
            #expect(tree.remove(id)?.id == id, "seed \(seed)")
            if ids.count % 100 == 0 { tree.checkInvariants() }
            if ids.count == 3_000 {
                #expect((0..<ids.count).allSatisfy { tree[$0].id == ids[$0] }, "seed \(seed)")
            }
        }
        #expect(tree.count == 0)
    }

    @Test func `a tree that is built at once is like one that grew, whatever its size`() {
        for count in Array(0...200) + [783, 784, 785, 10_000, 25_000] {
            var tree = RowTree<Card>(building: ContiguousArray((0..<count).map { Card(id: $0) }))
            tree.checkInvariants()
            #expect(tree.count == count)
            #expect((0..<count).allSatisfy { tree[$0].id == $0 })
            #expect((0..<count).allSatisfy { tree.row(of: $0)?.id == $0 })
            for id in stride(from: 0, to: count, by: 3) { #expect(tree.remove(id)?.id == id) }
            for id in 0..<40 { tree.insert(Card(id: -1 - id), at: tree.count / 2) }
            tree.checkInvariants()
        }
    }

    @Test func `numbers of dissolved nodes are reused`() {
        var tree = RowTree<Card>()
        func fill() { for id in 0..<2_000 { tree.insert(Card(id: id), at: tree.count) } }
        func drain() { for id in 0..<2_000 { #expect(tree.remove(id) != nil) } }
        fill()
        let numbers = tree.nodes.count
        for _ in 0..<3 {
            drain()
            fill()
        }
        #expect(tree.nodes.count == numbers)
    }
}
