// SPDX-License-Identifier: MIT

import Testing

@testable import OnwardBridge

@Suite("SubscriberOrder")
struct SubscriberOrderTests {
    private var order = SubscriberOrder()
    private let all = (0..<100).map { _ in SubscriberMember(owner: nil) { _, _ in } }

    /// The members in their order, as indices of `all`.
    private var left: [Int] {
        order.members.compactMap { member in all.firstIndex { $0 === member } }
    }

    @Test mutating func `Keeps the order of arrival, however many leave`() {
        for member in all { order.append(member) }
        var expected = Array(0..<100)
        func leave(_ index: Int) {
            order.remove(all[index])
            expected.removeAll { $0 == index }
        }
        for index in stride(from: 0, to: 100, by: 3) { leave(index) }
        #expect(left == expected)
        for index in 40..<100 where index % 3 != 0 {
            leave(index)
            #expect(left == expected)
            #expect(order.count == expected.count)
        }
        #expect(order.members.count < 60)
    }

    @Test mutating func `A member that left is last when it comes back`() {
        for member in all[..<3] { order.append(member) }
        order.remove(all[0])
        order.append(all[0])
        #expect(left == [1, 2, 0])
    }

    @Test mutating func `A member that leaves twice takes no other one along`() {
        for member in all[..<3] { order.append(member) }
        order.remove(all[1])
        order.remove(all[1])
        #expect(left == [0, 2])
        #expect(order.count == 2)
    }

    @Test mutating func `All leave at once, in their order, and may come back`() {
        for member in all { order.append(member) }
        order.remove(all[0])
        let leaving = order.removeAll()
        #expect(leaving.map(ObjectIdentifier.init) == all[1...].map(ObjectIdentifier.init))
        #expect(order.count == 0)
        order.remove(all[5])
        order.append(all[5])
        #expect(left == [5])
    }
}
