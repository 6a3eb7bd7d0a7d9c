// SPDX-License-Identifier: MIT

/// How much of what happened an assertion of a ``TestStore`` has to state.
public enum Strictness: Sendable, Hashable {
    /// All of it: the closure is given the state before and turns it into exactly the state after,
    /// and no action that came in between is skipped.
    case exhaustive
    /// What matters to the test: the closure is given the state after, and the values that it assigns
    /// have to be there already; actions that came before the expected one are skipped.
    case partial
}
