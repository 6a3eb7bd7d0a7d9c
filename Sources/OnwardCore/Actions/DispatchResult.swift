// SPDX-License-Identifier: MIT

/// What became of a dispatched action.
public enum DispatchResult: Sendable, Hashable {
    /// The reducers ran; the state from this version on includes the action.
    case accepted(Version)
    /// A middleware or the gate kept the action; it may come later or never.
    case withheld
    /// The store did not take the action; nothing changed.
    case refused(Refusal)

    /// The version of the commit, when there was one.
    public var version: Version? {
        guard case .accepted(let version) = self else { return nil }
        return version
    }
}
