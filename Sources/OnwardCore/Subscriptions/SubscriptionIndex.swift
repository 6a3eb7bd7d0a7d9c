// SPDX-License-Identifier: MIT

/// The groups of a store, found by what they select.
///
/// Guarded by the store's lock.
package final class SubscriptionIndex {
    private(set) var groups: [SubscriberGroup] = []
    private var shared: [GroupKey: SubscriberGroup] = [:]
    /// The group that was joined last: code that subscribes often at one place of a program finds it
    /// without hashing, as one key path literal is one object.
    private var recent: SubscriberGroup?
    private var recentSite: GroupSite?
    /// Keeps the key path of `recentSite` alive, so that no other key path gets its identity.
    private var recentPath: AnyKeyPath?
    /// Counts the groups that came and went; routes know by it whether their list is still right.
    private(set) var revision: UInt64 = 1
    /// Which groups came and went last, so that a route need not look at all of them; never many more
    /// than there are groups.
    private var log: [SubscriberGroup] = []
    /// The position of the listener that came last.
    private(set) var lastOrder: UInt64 = 0

    /// The position of the next listener.
    func nextOrder() -> UInt64 {
        lastOrder += 1
        return lastOrder
    }

    /// The group that others with the same selection share.
    func group(for key: GroupKey?) -> SubscriberGroup? {
        key.flatMap { shared[$0] }
    }

    /// The same for a key path at one place in the program.
    func group(
        of path: AnyKeyPath, at site: GroupSite, _ key: @autoclosure () -> GroupKey?
    ) -> SubscriberGroup? {
        if let recentSite, recentSite == site { return recent }
        guard let group = key().flatMap({ shared[$0] }) else { return nil }
        recent = group
        recentSite = site
        recentPath = path
        return group
    }

    /// Adds a group, which others can join.
    func add(_ group: SubscriberGroup) {
        group.position = groups.count
        groups.append(group)
        note(group)
        if let key = group.key { shared[key] = group }
    }

    /// Takes a subscriber out of its group, and an empty group out of the index; returns what is to be
    /// released outside the lock.
    ///
    /// - Complexity: O(1) on average.
    func remove(_ subscriber: Subscriber, _ locked: borrowing Locked) -> [Any?] {
        guard let group = subscriber.group else { return [] }
        var rest: [Any?] = []
        guard group.remove(subscriber, &rest, locked) else { return rest }
        rest += takeOut(group)
        group.host = nil
        // While it is part of a round, it is for the holder of the turn to do.
        group.hasLeftovers = group.isTaken
        return group.isTaken ? rest : rest + group.finish(locked)
    }

    /// Takes a group out; returns what is to be released outside the lock.
    private func takeOut(_ group: SubscriberGroup) -> [Any?] {
        groups.swapAt(group.position, groups.count - 1)
        groups[group.position].position = group.position
        groups.removeLast()
        group.position = -1
        note(group)
        if let key = group.key, shared[key] === group { shared[key] = nil }
        guard recent === group else { return [] }
        defer {
            recent = nil
            recentSite = nil
            recentPath = nil
        }
        return [recentPath]
    }

    /// The groups that came or went since a revision, in no order; nil when that is no longer known.
    func changes(since revision: UInt64) -> ArraySlice<SubscriberGroup>? {
        let count = self.revision - revision
        return count > log.count ? nil : log.suffix(Int(count))
    }

    private func note(_ group: SubscriberGroup) {
        revision += 1
        // Looking at all groups again after so many changes costs each change no more than a constant.
        if log.count >= max(groups.count, 64) { log.removeAll(keepingCapacity: true) }
        log.append(group)
    }

    /// All subscribers, in no order.
    func subscribers(_ locked: borrowing Locked) -> [Subscriber] {
        groups.flatMap { $0.everyone(locked) }
    }
}

/// What subscribers need of the engine that has them.
package protocol SubscriberHost: LockedStorage {
    /// The groups of all subscribers.
    func index(_ locked: borrowing Locked) -> SubscriptionIndex

    /// Takes a listener out, and releases what that leaves behind.
    func remove(_ listener: Listener)

    /// Takes a listener out; returns what is to be released outside the lock.
    func takeOut(_ listener: Listener) -> [Any?]
}
