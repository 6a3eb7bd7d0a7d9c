// SPDX-License-Identifier: MIT

/// Something to dispatch to, for code that does not care about a state.
public protocol DispatchingStoreType {
    /// Says what happened.
    func dispatch(_ action: any Action)
}
