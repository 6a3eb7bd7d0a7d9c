// SPDX-License-Identifier: MIT

/// An object that is notified of states of one type, and that the store does not keep alive.
public protocol StoreSubscriber: AnyStoreSubscriber {
    /// What it is notified of: the store's state, or what its subscription selects.
    associatedtype StoreSubscriberStateType

    /// Receives a new state; called by the thread that delivers.
    func newState(state: StoreSubscriberStateType)
}

extension StoreSubscriber {
    // swift-format-ignore: NoLeadingUnderscores
    /// Passes the state on to ``newState(state:)``.
    @inlinable
    public func _newState(state: Any) {
        guard let state = state as? StoreSubscriberStateType else { return }
        newState(state: state)
    }
}
