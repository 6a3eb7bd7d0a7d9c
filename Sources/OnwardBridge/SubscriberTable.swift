// SPDX-License-Identifier: MIT

/// The subscribers by key: a pure machine.
@usableFromInline
struct SubscriberTable<Key: Hashable> {
    /// All members by key.
    @usableFromInline var members: [Key: SubscriberMember] = [:]
    /// How many with an owner came since those whose owner is gone were last looked for.
    @usableFromInline var lateSubscribers = 0

    @inlinable
    init() {}

    /// Adds a member; returns the one that had the key.
    ///
    /// - Complexity: O(1) on average.
    @inlinable
    mutating func insert(_ member: SubscriberMember, for key: Key) -> SubscriberMember? {
        if member.hasOwner { lateSubscribers += 1 }
        return members.updateValue(member, forKey: key)
    }

    /// Takes a member out.
    ///
    /// - Complexity: O(1) on average.
    @inlinable
    mutating func remove(_ key: Key) -> SubscriberMember? {
        members.removeValue(forKey: key)
    }

    /// Takes a member out if it still has the key; false when it doesn't.
    @inlinable
    mutating func remove(_ member: SubscriberMember, for key: Key) -> Bool {
        guard members[key] === member else { return false }
        members[key] = nil
        return true
    }

    /// The members, when so many with an owner came that those whose owners are gone should be looked for,
    /// which is not to be done under a lock: an owner may go right there.
    ///
    /// - Complexity: O(1); the looking is, per member that comes, too.
    @inlinable
    mutating func inventory() -> [Key: SubscriberMember]? {
        guard lateSubscribers > max(16, members.count / 2) else { return nil }
        lateSubscribers = 0
        return members
    }
}
