// SPDX-License-Identifier: MIT

/// An action that a gate is asked about, before it is committed.
public struct PendingCommit: Sendable {
    /// The action as it left the middleware chain.
    public let action: any Action
    /// The instance it is meant for.
    public let address: Address
    /// Where it was dispatched.
    public let origin: Origin
    /// The entry during whose delivery it was dispatched; nil when there was none.
    public let parent: Version?
}
