// SPDX-License-Identifier: MIT

/// A subscriber whose type of state is not known.
public protocol AnyStoreSubscriber: AnyObject {
    // swift-format-ignore: NoLeadingUnderscores
    /// Takes a new state of whatever type; the store calls this.
    func _newState(state: Any)
}
