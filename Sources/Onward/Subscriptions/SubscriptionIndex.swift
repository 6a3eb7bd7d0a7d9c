// SPDX-License-Identifier: MIT

/// The groups of a store, found by what they select.
///
/// Guarded by the engine's lock.
final class SubscriptionIndex {
    private(set) var groups: [SelectionGroup] = []
    private var shared: [GroupKey: SelectionGroup] = [:]
    /// Changes whenever a group comes or goes; routes know by it whether their list is still right.
    private(set) var revision: UInt64 = 1
    private var lastOrder: UInt64 = 0

    /// The position of the next listener.
    func nextOrder() -> UInt64 {
        lastOrder += 1
        return lastOrder
    }

    /// The group that others with the same selection share.
    func group(for key: GroupKey?) -> SelectionGroup? {
        key.flatMap { shared[$0] }
    }

    func add(_ group: SelectionGroup, shared isShared: Bool) {
        group.position = groups.count
        groups.append(group)
        revision += 1
        if isShared, let key = group.key { shared[key] = group }
    }

    /// Takes a subscriber out of its group, and an empty group out of the index.
    ///
    /// - Complexity: O(1) on average.
    func remove(_ subscriber: Subscriber) {
        let group = subscriber.group
        group.remove(subscriber)
        guard group.count == 0 else { return }
        groups.swapAt(group.position, groups.count - 1)
        groups[group.position].position = group.position
        groups.removeLast()
        revision += 1
        if let key = group.key, shared[key] === group { shared[key] = nil }
    }

    /// All subscribers, in no order.
    var subscribers: [Subscriber] {
        groups.flatMap { $0.members.compactMap(\.self) }
    }
}
