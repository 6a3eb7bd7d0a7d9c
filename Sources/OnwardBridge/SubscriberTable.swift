// SPDX-License-Identifier: MIT

internal import Onward

/// The subscribers, in the order of subscribing and by key: a pure machine.
struct SubscriberTable<State, Key: Hashable> {
    typealias Member = SubscriberMember<State>

    /// In the order in which they subscribed, with holes where one left.
    private(set) var members: [Member?] = []
    private var slots: [Key: Int] = [:]
    /// How many there may be before those whose owner is gone are looked for.
    private var roof = 16
    /// The newest version that was told.
    private var told: Version = 0

    /// How many there are.
    var count: Int { slots.count }

    /// The member under a key.
    subscript(key: Key) -> Member? { slots[key].flatMap { members[$0] } }

    /// Everyone in the order in which they subscribed.
    var inOrder: [(key: Key, member: Member)] {
        slots.sorted { $0.value < $1.value }.compactMap { slot in
            members[slot.value].map { (slot.key, $0) }
        }
    }

    /// Adds a member; returns the one that had the key.
    mutating func insert(_ member: Member, for key: Key) -> Member? {
        let last = remove(key)
        slots[key] = members.count
        members.append(member)
        return last
    }

    /// The members, when there are so many that those whose owners are gone should be looked for, which
    /// is not to be done under a lock: an owner may go right there.
    mutating func inventory() -> [Key: Member]? {
        guard slots.count > roof else { return nil }
        roof = slots.count * 2
        return slots.compactMapValues { members[$0] }
    }

    /// Takes out those members that are still there.
    mutating func remove(_ orphans: [Key: Member]) {
        for (key, orphan) in orphans where self[key] === orphan { _ = remove(key) }
        roof = max(16, slots.count * 2)
    }

    /// Takes a member out.
    ///
    /// - Complexity: O(1) on average.
    mutating func remove(_ key: Key) -> Member? {
        guard let slot = slots.removeValue(forKey: key) else { return nil }
        let member = members[slot]
        members[slot] = nil
        if members.count > 16, slots.count < members.count / 2 { closeHoles() }
        return member
    }

    /// Whom to tell of a version; nobody of one that was told already.
    mutating func tell(_ version: Version) -> [Member?] {
        guard version > told else { return [] }
        told = version
        return members
    }

    private mutating func closeHoles() {
        var places: [Int] = []
        var next = 0
        for member in members {
            places.append(next)
            if member != nil { next += 1 }
        }
        members = members.filter { $0 != nil }
        slots = slots.mapValues { places[$0] }
    }
}
