// SPDX-License-Identifier: MIT

/// What became of a dispatched action, or of a state that was to be installed.
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

/// Why a store did not take an action, or a state.
public enum Refusal: Sendable, Hashable {
    /// No reducer is registered for the action's type, or none at its address. A misuse.
    case unhandled
    /// All reducers that would handle it belong to an optional slice or a row that is not there.
    case absent
    /// It was dispatched from inside a reducer. A misuse.
    case insideReducer
    /// It continued a loop of subscribers or middlewares beyond ``Limits``. A misuse.
    case tooDeep
    /// The work that dispatched it had the right to do so only until it ended or its instance was gone.
    case expired
    /// The store was shut down.
    case shutDown
    /// A state was to replace another version than the current one.
    case outdated(by: Version)
}
