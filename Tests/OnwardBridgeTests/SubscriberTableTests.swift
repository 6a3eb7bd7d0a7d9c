// SPDX-License-Identifier: MIT

import Testing

@testable import OnwardBridge

@Suite("SubscriberTable")
struct SubscriberTableTests {
    private final class Owner {}

    private var table = SubscriberTable<Int>()

    private func member(of owner: Owner? = nil) -> SubscriberMember {
        SubscriberMember(owner: owner) { _, _ in }
    }

    @Test mutating func `A new subscriber replaces the one with its key`() {
        let all = (0..<3).map { _ in member() }
        let replaced = [
            table.insert(all[0], for: 1), table.insert(all[1], for: 2),
            table.insert(all[2], for: 1),
        ]
        #expect(replaced[0] == nil)
        #expect(replaced[1] == nil)
        #expect(replaced[2] === all[0])
        #expect(table.members[1] === all[2])
        #expect(table.members.count == 2)
    }

    @Test mutating func `Those whose owners are gone are found when many came, others stay`() {
        let owner = Owner()
        _ = table.insert(member(of: owner), for: -1)
        _ = table.insert(member(), for: -2)
        var leaving = 0
        for key in 0..<100 {
            _ = table.insert(member(of: Owner()), for: key)
            guard let orphans = table.inventory()?.filter(\.value.isOrphan) else { continue }
            for (key, orphan) in orphans where table.remove(orphan, for: key) { leaving += 1 }
        }
        #expect(leaving >= 80)
        #expect(table.members.count <= 20)
        #expect(table.members[-1] != nil)
        #expect(table.members[-2] != nil)
        withExtendedLifetime(owner) {}
    }

    @Test mutating func `Nothing is searched where no subscriber has an owner`() {
        for key in 0..<1_000 {
            _ = table.insert(member(), for: key)
            let inventory = table.inventory()
            #expect(inventory == nil)
        }
    }

    @Test mutating func `One that was replaced meanwhile does not take the new one along`() {
        let first = member()
        let second = member()
        _ = table.insert(first, for: 1)
        _ = table.insert(second, for: 1)
        let wasFirstThere = table.remove(first, for: 1)
        #expect(!wasFirstThere)
        #expect(table.members[1] === second)
        let wasSecondThere = table.remove(second, for: 1)
        #expect(wasSecondThere)
        #expect(table.members.isEmpty)
    }

    @Test mutating func `A subscriber that is not there cannot be removed`() {
        let member = table.remove(1)
        #expect(member == nil)
    }
}
