// SPDX-License-Identifier: MIT

internal import OnwardCore
internal import Synchronization

/// The lifetime of an instance that can go away while the store lives: a row or an optional slice.
/// All effects of the instance share it, so that its end is found once.
///
/// A child with another id in an optional slice is another instance, too.
///
/// An id may come back, but its row is then a different one: it has another lifetime, and gets
/// neither the answers nor the effects of the previous row. A row that gets another id, by
/// `EntityTable.rename(id:to:)`, is the same one at another address. The engine ends lifetimes
/// (`InstanceLifetimes`) under its lock, in the commit that takes the instance away.
// `followers` belong to the store's lock, hence `@unchecked`.
final class InstanceLifetime: DispatchPermit, @unchecked Sendable {
    /// What follows the instances itself, and has to learn of an end that it may not have seen.
    private typealias Follower = (reader: any InstanceFollower, leaf: InstanceLeaf)

    /// Where an instance is, and how often it has come to another address.
    typealias Place = (address: Address, moves: Int)

    let lens: SliceLens
    private let whereabouts: Guarded<Place>
    /// What stands for it among the names of effects.
    private let instance = Guarded<EffectInstance?>(nil)
    /// What follows the instance by its address.
    private let watches = Guarded<[ObjectIdentifier: Watch]>([:])
    /// Where it stands among the lifetimes of its place.
    let leaf: InstanceLeaf
    private let validity = PermitValidity(within: nil)
    private var followers: [Follower] = []
    /// How many still need it: its maker, and each of its owners.
    private let holders = Atomic(1)

    init(of lens: SliceLens, _ address: Address, at leaf: InstanceLeaf) {
        self.lens = lens
        whereabouts = Guarded((address, 0))
        self.leaf = leaf
    }

    /// Whether the instance is gone.
    var isOver: Bool { validity.isOver }

    /// Where the instance is now.
    var place: Place { whereabouts.withValue { $0 } }
    var address: Address { place.address }
    var moves: Int { whereabouts.withValue { $0.moves } }

    /// The instance came to another address; returns the former one, to be released outside the
    /// lock.
    func move(_ locked: borrowing Locked) -> Address {
        let new = lens.address(of: leaf.rows)
        return whereabouts.withValue { place in
            defer { place = (new, place.moves + 1) }
            return place.address
        }
    }

    /// What stands for the instance among the names of effects, wherever it goes.
    func instance(in names: EffectNames) -> EffectInstance {
        if let known = instance.withValue({ $0 }) { return known }
        let new = names.instance(at: address)
        return instance.withValue { instance in
            let first = instance ?? new
            instance = first
            return first
        }
    }

    /// Has what knows the instance by its address follow it to the present one; outside the lock.
    func follow(_ names: EffectNames) {
        if case .row(let name) = instance.withValue({ $0 }) { names.rename(name, to: address) }
        for watch in watches.withValue({ $0 }).values { watch.watch?.follow() }
    }

    private struct Watch: Sendable {
        weak let watch: InstanceWatch?
    }

    /// Has a watch follow the instance.
    func add(_ watch: InstanceWatch) {
        watches.withValue { $0[ObjectIdentifier(watch)] = Watch(watch: watch) }
    }

    func remove(_ watch: InstanceWatch) {
        watches.withValue { $0[ObjectIdentifier(watch)] = nil }
    }

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
    /// Looks for what has changed, unless it has looked at the present state.
    func lookAgain(at root: UnsafeRawPointer, _ locked: borrowing Locked)
    /// An instance was replaced, although its own look at the state may not show that.
    func replace(_ leaf: InstanceLeaf, _ locked: borrowing Locked)
}
