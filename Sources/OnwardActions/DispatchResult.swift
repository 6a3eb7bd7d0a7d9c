// SPDX-License-Identifier: MIT

/// The outcome of dispatching an action or installing a state.
public enum DispatchResult: Sendable, Hashable {
    /// The reducers ran; the state from this version on includes the action.
    case accepted(CommitVersion)
    /// A middleware or a gate withheld the action; it may come later or never.
    case withheld
    /// The store refused the action; nothing changed.
    case refused(Refusal)

    /// The version of the commit; nil if there was none.
    public var version: CommitVersion? {
        guard case .accepted(let version) = self else { return nil }
        return version
    }
}

/// The reason why a store refused an action or a state.
public enum Refusal: Sendable, Hashable {
    /// No reducer is registered for the action's type, or none at its address. A programmer error.
    case unhandled
    /// All reducers that would handle it belong to optional slices or rows that are absent.
    case absent
    /// It was dispatched from inside a reducer. A programmer error.
    case insideReducer
    /// It continued a loop of subscribers or middlewares beyond ``StoreLimits``. A programmer error.
    case tooDeep
    /// A check has refused it, for a reason; see ``DispatchResult/reason(as:)``.
    case failedCheck(CheckFailure)
    /// The work that dispatched it has ended, or its instance is gone.
    case expired
    /// The store was shut down.
    case shutDown
    /// The state was to replace a version that is not the current one.
    case outdated(by: CommitVersion)
}
