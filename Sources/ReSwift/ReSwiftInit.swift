// SPDX-License-Identifier: MIT

/// The first action of a store that was made without a state.
///
/// A reducer answers it, as any action that comes with no state, with the state to begin with.
public struct ReSwiftInit: Action {
    /// The one value.
    public init() {}
}
