// SPDX-License-Identifier: MIT

internal import EntityTables
internal import OnwardCore
internal import Synchronization

/// One lifetime of an instance that can go away while the store lives, a row or an optional slice, as its
/// effects see it.
///
/// An id may come back, but the row that comes with it is another one: it has another lifetime, and gets
/// neither the answers nor the effects of the one before. The engine ends lifetimes (`InstanceLifetimes`) under
/// its lock, in the commit that takes the instance away.
// `marks` belongs to the store's lock, hence `@unchecked`.
final class InstanceLifetime: DispatchPermit, @unchecked Sendable {
    let lens: SliceLens
    let address: Address
    private let validity = PermitValidity(within: nil)
    /// The states, as they were last looked at, of the tables on the way that lie inside others.
    var marks: [EntityMark?] = []
    /// How many still need it: its maker, and each of its owners.
    private let holders = Atomic(1)

    init(of lens: SliceLens, _ address: Address) {
        self.lens = lens
        self.address = address
    }

    /// Whether the instance is gone.
    var isOver: Bool { validity.isOver }

    func end() { validity.end() }

    func hold() {
        holders.add(1, ordering: .relaxed)
    }

    func release(_ engine: Engine) {
        let left = holders.subtract(1, ordering: .acquiringAndReleasing).newValue
        if left == 0 { engine.forget(self) }
    }
}
