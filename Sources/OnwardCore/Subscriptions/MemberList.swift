// SPDX-License-Identifier: MIT

/// Subscribers in the order in which they subscribed, with holes where some left.
///
/// Belongs to the store's lock; the deliverer takes a copy of `slots` and goes through it outside.
struct MemberList {
    private(set) var slots: [Subscriber?] = []
    private(set) var count = 0

    @inline(__always)
    mutating func add(_ member: Subscriber) {
        member.slot = Int32(truncatingIfNeeded: slots.count)
        slots.append(member)
        count += 1
    }

    /// Takes a member out.
    ///
    /// - Complexity: O(1) on average.
    @inline(__always)
    mutating func remove(_ member: Subscriber) {
        slots[Int(member.slot)] = nil
        count -= 1
        // Holes are cheap, so many of them may gather before the others move together.
        if slots.count > 16, count < slots.count / 4 { close() }
    }

    @inline(never)
    private mutating func close() {
        slots.removeAll { $0 == nil }
        for (slot, member) in slots.enumerated() {
            member?.slot = Int32(truncatingIfNeeded: slot)
        }
    }
}
