// SPDX-License-Identifier: MIT

/// Something to dispatch to, for code that does not need the state.
public protocol DispatchingStoreType {
    /// Dispatches an action.
    func dispatch(_ action: any Action)
}
