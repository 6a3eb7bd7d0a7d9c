// SPDX-License-Identifier: MIT

public import Onward

/// A store that notifies subscribers, through one subscription of its state; held weakly, as it
/// notifies them for as long as others keep it.
@usableFromInline
package final class Source: Sendable {
    weak let store: (any SubscribedStore)?
    /// Which store it is.
    @usableFromInline let id: ObjectIdentifier
    /// The lock of the backlogs of all members: few have any, and for a moment only.
    let backlogs = Lock()
    /// Copies states of the store's type.
    private let kept: KeptState.Type

    @usableFromInline
    init<State>(_ store: Store<BridgedState<State>>) {
        self.store = store
        id = ObjectIdentifier(store)
        kept = Kept<State>.self
    }

    /// The store, for code that knows the type of its state, and may have it already.
    @inlinable
    func store<State>(
        orElse store: Store<BridgedState<State>>
    ) -> Store<BridgedState<State>>? {
        if id == ObjectIdentifier(store) { return store }
        guard let object else { return nil }
        return unsafeDowncast(object, to: Store<BridgedState<State>>.self)
    }

    @usableFromInline var object: AnyObject? { store }

    /// Copies the values of a call.
    func keep(_ old: UnsafeRawPointer?, _ new: UnsafeRawPointer) -> KeptChange {
        KeptChange(old: old.map(kept.init(copying:)), new: kept.init(copying: new))
    }
}

/// The values of a call that is made later.
struct KeptChange {
    let old: KeptState?
    let new: KeptState

    /// Lends the places of both.
    func withPointers(_ body: (_ old: UnsafeRawPointer?, _ new: UnsafeRawPointer) -> Void) {
        new.withPointer { new in
            guard let old else { return body(nil, new) }
            old.withPointer { body($0, new) }
        }
    }
}
