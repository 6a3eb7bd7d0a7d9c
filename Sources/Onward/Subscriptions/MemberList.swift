// SPDX-License-Identifier: MIT

/// Subscribers in the order in which they subscribed, with holes where one left.
///
/// Belongs to the engine's lock; who delivers takes a copy of `slots` and goes through it outside.
struct MemberList {
    private(set) var slots: [Subscriber?] = []
    private(set) var count = 0

    mutating func add(_ member: Subscriber) {
        member.slot = Int32(slots.count)
        slots.append(member)
        count += 1
    }

    /// Takes a member out.
    ///
    /// - Complexity: O(1) on average.
    mutating func remove(_ member: Subscriber) {
        slots[Int(member.slot)] = nil
        count -= 1
        guard slots.count > 16, count < slots.count / 2 else { return }
        slots = slots.filter { $0 != nil }
        for (slot, member) in slots.enumerated() { member?.slot = Int32(slot) }
    }
}
