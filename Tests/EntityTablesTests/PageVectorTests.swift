// SPDX-License-Identifier: MIT

import Testing

@testable import EntityTables

@Suite struct PageVectorTests {
    /// Counts of items that need one, two, three and four levels of pages.
    static let counts = [1, 32, 33, 1_024, 1_025, 33_000]

    func numbers(_ count: Int) -> PageVector<Int> {
        var vector = PageVector<Int>()
        for number in 0..<count { _ = vector.append(number) }
        return vector
    }

    func difference(_ new: PageVector<Int>, _ old: PageVector<Int>) -> [Int] {
        var found: [Int] = []
        new.forEachNumberThatMayDiffer(from: old) { found.append($0) }
        return found
    }

    @Test(arguments: counts)
    func `keeps items under their numbers on all levels`(count: Int) {
        let vector = numbers(count)
        #expect(vector.count == count)
        #expect((0..<count).allSatisfy { vector[$0] == $0 })
    }

    @Test(arguments: counts)
    func `a change is seen in one copy only`(count: Int) {
        let old = numbers(count)
        var new = old
        for number in [0, count / 2, count - 1] { new.modify(number) { $0 = -1 } }
        #expect((0..<count).allSatisfy { old[$0] == $0 })
        #expect([0, count / 2, count - 1].allSatisfy { new[$0] == -1 })
        #expect((0..<count).count { new[$0] != $0 } == Set([0, count / 2, count - 1]).count)
    }

    @Test(arguments: counts)
    func `a difference names the changed item and at most its page`(count: Int) {
        let old = numbers(count)
        var new = old
        #expect(difference(new, old).isEmpty)
        new.modify(count - 1) { $0 = -1 }
        #expect(difference(new, old).contains(count - 1))
        #expect(difference(new, old).count <= 32)
    }

    @Test(arguments: counts)
    func `a difference across a new level names what was added`(count: Int) {
        let old = numbers(count)
        var new = old
        let added = new.append(-1)
        for found in [difference(new, old), difference(old, new)] {
            #expect(found.contains(added))
            #expect(found == found.sorted())
            #expect(found.count <= 32)
        }
    }
}
