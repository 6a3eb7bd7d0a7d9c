// SPDX-License-Identifier: MIT

/// The action of an entry that records an installed state.
public struct Travel: Action {
    /// The one value.
    public init() {}
}
