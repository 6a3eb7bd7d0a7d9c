// SPDX-License-Identifier: MIT

/// The subscribers in the order in which they came: a pure machine.
@usableFromInline
struct SubscriberOrder {
    /// All members, with holes where some left.
    private(set) var members: [SubscriberMember?] = []
    /// How many there are.
    private(set) var count = 0

    /// Adds a member after the others.
    @usableFromInline
    mutating func append(_ member: SubscriberMember) {
        member.slot = members.count
        members.append(member)
        count += 1
    }

    /// Takes a member out.
    ///
    /// - Complexity: O(1) on average.
    @usableFromInline
    mutating func remove(_ member: SubscriberMember) {
        guard let slot = member.slot else { return }
        member.slot = nil
        members[slot] = nil
        count -= 1
        if members.count > 16, count < members.count / 2 { closeHoles() }
    }

    /// Takes all members out; returns them in their order.
    @usableFromInline
    mutating func removeAll() -> [SubscriberMember] {
        let all = members.compactMap(\.self)
        for member in all { member.slot = nil }
        self = SubscriberOrder()
        return all
    }

    private mutating func closeHoles() {
        members.removeAll { $0 == nil }
        for (slot, member) in members.enumerated() { member?.slot = slot }
    }
}
