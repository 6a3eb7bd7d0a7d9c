// SPDX-License-Identifier: MIT

import Testing

@testable import OnwardBridge

@Suite("SubscriberTable")
struct SubscriberTableTests {
    private final class Owner {}

    private var table = SubscriberTable<Int, Int>()

    private func member(of owner: Owner? = nil) -> SubscriberMember<Int> {
        SubscriberMember(owner: owner) { _, _ in }
    }

    /// The members in their order, as indices of those that were added.
    private func order(_ members: [SubscriberMember<Int>?], _ all: [SubscriberMember<Int>]) -> [Int]
    {
        members.compactMap { member in all.firstIndex { $0 === member } }
    }

    @Test mutating func `Keeps the order of subscribing through any number of leavings`() {
        let all = (0..<100).map { _ in member() }
        for (key, member) in all.enumerated() { _ = table.insert(member, for: key) }
        var left = Array(0..<100)
        for key in stride(from: 0, to: 100, by: 3) {
            #expect(table.remove(key) === all[key])
            left.removeAll { $0 == key }
        }
        for key in 40..<100 where key % 3 != 0 {
            _ = table.remove(key)
            left.removeAll { $0 == key }
            #expect(order(table.members, all) == left)
            #expect(table.count == left.count)
            for key in left { #expect(table[key] === all[key]) }
        }
        #expect(table.members.count < 60)
    }

    @Test mutating func `Who has the key leaves, and the new one comes last`() {
        let all = (0..<3).map { _ in member() }
        #expect(table.insert(all[0], for: 1) == nil)
        #expect(table.insert(all[1], for: 2) == nil)
        #expect(table.insert(all[2], for: 1) === all[0])
        #expect(order(table.members, all) == [1, 2])
        #expect(table.count == 2)
    }

    @Test mutating func `Whose owner is gone leaves when the table grows, others stay`() {
        let owner = Owner()
        _ = table.insert(member(of: owner), for: -1)
        _ = table.insert(member(), for: -2)
        var leaving = 0
        for key in 0..<100 {
            _ = table.insert(member(of: Owner()), for: key)
            guard let orphans = table.inventory()?.filter(\.value.isOrphan) else { continue }
            table.remove(orphans)
            leaving += orphans.count
        }
        #expect(leaving >= 80)
        #expect(table.count <= 18)
        #expect(table[-1] != nil)
        #expect(table[-2] != nil)
        withExtendedLifetime(owner) {}
    }

    @Test mutating func `Tells of each version once, and of none that is older`() {
        _ = table.insert(member(), for: 1)
        #expect(table.tell(5).count == 1)
        #expect(table.tell(5).isEmpty)
        #expect(table.tell(4).isEmpty)
        #expect(table.tell(6).count == 1)
    }

    @Test mutating func `Who is not there cannot be removed`() {
        #expect(table.remove(1) == nil)
        #expect(table[1] == nil)
    }
}
