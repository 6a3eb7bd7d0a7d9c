// SPDX-License-Identifier: MIT

/// The first action of a store that was made without a state.
///
/// A reducer answers it, like any action that comes without a state, with the state to begin
/// with.
public struct ReSwiftInit: Action {
    /// The one value.
    public init() {}
}
