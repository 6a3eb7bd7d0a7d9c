// SPDX-License-Identifier: MIT

/// The action of an entry that records an installed state.
public struct Travel: Action {
    /// The version whose state was replaced, which is the one before.
    public let replaced: Version
    /// The earlier version whose state is shown again; nil where it is known of none.
    public let shown: Version?

    /// A travel, for logs that come from elsewhere.
    public init(replacing replaced: Version, showing shown: Version? = nil) {
        self.replaced = replaced
        self.shown = shown
    }
}
