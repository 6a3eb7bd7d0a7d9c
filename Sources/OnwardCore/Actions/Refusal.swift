// SPDX-License-Identifier: MIT

/// Why a store did not take an action.
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
}
