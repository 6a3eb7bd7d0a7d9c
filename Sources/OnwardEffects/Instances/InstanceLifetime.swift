// SPDX-License-Identifier: MIT

internal import EntityTables
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
// `marks` and `children` belong to the store's lock, hence `@unchecked`.
final class InstanceLifetime: DispatchPermit, @unchecked Sendable {
    let lens: SliceLens
    let address: Address
    private let validity = PermitValidity(within: nil)
    /// The last observed states of the nested tables on the way to the instance.
    var marks: [EntityMark?] = []
    /// The ids of the children on the way to the instance.
    var children: [AnyHashable?] = []
    /// How many still need it: its maker, and each of its owners.
    private let holders = Atomic(1)

    init(of lens: SliceLens, _ address: Address) {
        self.lens = lens
        self.address = address
    }

    /// Whether the instance is gone.
    var isOver: Bool { validity.isOver }

    func end() { validity.end() }

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
