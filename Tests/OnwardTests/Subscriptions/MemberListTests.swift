// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore

struct MemberListTests {
    private func subscriber(_ order: UInt64) -> Subscriber {
        let subscriber = PointerSubscriber { _, _ in }
        subscriber.join(order: order)
        return subscriber
    }

    private func orders(_ list: MemberList) -> [UInt64] { list.slots.compactMap { $0?.order } }

    @Test func `keeps its members in the order in which they came`() {
        var list = MemberList()
        let members = (1...5).map { subscriber($0) }
        for member in members { list.add(member) }
        list.remove(members[1])
        list.remove(members[3])
        list.add(subscriber(6))
        #expect(orders(list) == [1, 3, 5, 6])
        #expect(list.count == 4)
    }

    @Test func `closes its holes when three in four members have left`() {
        var list = MemberList()
        let members = (1...64).map { subscriber($0) }
        for member in members { list.add(member) }
        for member in members.prefix(48) { list.remove(member) }
        #expect(list.slots.count == 64)
        list.remove(members[48])
        #expect(list.slots.count == 15)
        #expect(orders(list) == Array(50...64))
        // Those that moved are found at their new places.
        for member in members.suffix(15) { list.remove(member) }
        #expect(orders(list).isEmpty && list.count == 0)
    }
}
