// SPDX-License-Identifier: MIT

/// The groups of one key of which some are behind.
///
/// Problem: a subscriber that joins while the members of a group wait for commits to be notified as
/// one has seen more than they have, so one change cannot be right for all.
///
/// Strategy: such a late subscriber begins a group of its own, for what it has seen. When a
/// delivery settles and all have caught up, they know the same, and the oldest group takes over the
/// members of the others, which came later and so follow its own.
final class Succession {
    /// From the oldest on; the newest is joined.
    var groups: [SubscriberGroup]

    init(_ first: SubscriberGroup) {
        groups = [first]
        first.succession = self
    }

    func add(_ late: SubscriberGroup) {
        groups.append(late)
        late.succession = self
    }

    /// Takes a group out; returns the one that is joined from here on.
    func remove(_ group: SubscriberGroup) -> SubscriberGroup? {
        groups.removeAll { $0 === group }
        group.succession = nil
        let newest = groups.last
        if groups.count == 1 { newest?.succession = nil }
        return newest
    }

    /// Whether nobody waits for anything.
    func isEven(_ locked: borrowing Locked) -> Bool {
        groups.allSatisfy { !$0.isTaken && !$0.isBehind(locked) }
    }
}
