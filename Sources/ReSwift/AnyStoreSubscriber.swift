// SPDX-License-Identifier: MIT

/// A subscriber whose type of state is unknown.
public protocol AnyStoreSubscriber: AnyObject {
    // swift-format-ignore: NoLeadingUnderscores
    /// Receives a new state of any type; called by the store.
    func _newState(state: Any)
}
