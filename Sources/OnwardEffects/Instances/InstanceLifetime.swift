// SPDX-License-Identifier: MIT

internal import OnwardCore
internal import Synchronization

/// The lifetime of an instance that can go away while the store lives: a row or an optional slice.
/// All effects of the instance share it, so that its end is found once.
///
/// A child with another id in an optional slice is another instance, too.
///
/// An id may come back, but its row is then a different one: it has another lifetime, and gets
/// neither the answers nor the effects of the previous row. The engine ends lifetimes
/// (`InstanceLifetimes`) under its lock, in the commit that takes the instance away.
// `followers` belong to the store's lock, hence `@unchecked`.
final class InstanceLifetime: DispatchPermit, @unchecked Sendable {
    /// What follows the instances itself, and has to learn of an end that it may not have seen.
    private typealias Follower = (reader: any InstanceFollower, leaf: InstanceLeaf)

    let lens: SliceLens
    let address: Address
    /// Where it stands among the lifetimes of its place.
    let leaf: InstanceLeaf
    private let validity = PermitValidity(within: nil)
    private var followers: [Follower] = []
    /// How many still need it: its maker, and each of its owners.
    private let holders = Atomic(1)

    init(of lens: SliceLens, _ address: Address, at leaf: InstanceLeaf) {
        self.lens = lens
        self.address = address
        self.leaf = leaf
    }

    /// Whether the instance is gone.
    var isOver: Bool { validity.isOver }

    /// Has a follower's own leaf of the instance replaced when the instance is.
    func add(_ follower: any InstanceFollower, _ leaf: InstanceLeaf, _ locked: borrowing Locked) {
        if followers.contains(where: { $0.leaf === leaf }) { return }
        followers.append((follower, leaf))
    }

    func end(_ locked: borrowing Locked) {
        validity.end()
        for follower in followers { follower.reader.replace(follower.leaf, locked) }
    }

    /// Whether anything needs it; a lifetime that nothing does is given away under the lock.
    var isHeld: Bool { holders.load(ordering: .acquiring) > 0 }

    func hold() {
        holders.add(1, ordering: .relaxed)
    }

    func release(_ engine: Engine) {
        let left = holders.subtract(1, ordering: .acquiringAndReleasing).newValue
        if left == 0 { engine.forget(self) }
    }
}

/// What follows the instances of a place on its own, such as a `While`.
protocol InstanceFollower: AnyObject, Sendable {
    /// An instance was replaced, although its own look at the state may not show that.
    func replace(_ leaf: InstanceLeaf, _ locked: borrowing Locked)
}
