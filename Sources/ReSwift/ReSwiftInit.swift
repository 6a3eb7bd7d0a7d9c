// SPDX-License-Identifier: MIT

/// The first action of a store made without a state.
///
/// A reducer answers it, like any action that comes without a state, with the initial
/// state.
public struct ReSwiftInit: Action {
    /// Makes the action.
    public init() {}
}
