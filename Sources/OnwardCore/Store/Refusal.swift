// SPDX-License-Identifier: MIT

/// Why a store did not take an action.
public enum Refusal: Sendable, Hashable {
    /// No reducer is registered for the action's type, or none at its address. A misuse.
    case unhandled
    /// All who would handle it belong to an optional slice or a row that is not there.
    case absent
    /// It was dispatched from inside a reducer. A misuse.
    case insideReducer
    /// It continued a loop of subscribers or middlewares beyond ``Limits``. A misuse.
    case tooDeep
    /// What dispatched it had the right to only until it ended or its instance was gone, as an effect has.
    case expired
    /// The store was shut down.
    case shutDown
}
