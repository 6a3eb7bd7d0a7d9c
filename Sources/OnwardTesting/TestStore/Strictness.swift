// SPDX-License-Identifier: MIT

/// How much of what happened an assertion of a ``TestStore`` has to state.
public enum Strictness: Sendable, Hashable {
    /// All of it: the closure receives the state before and turns it into exactly the state after,
    /// and no action in between is skipped.
    case exhaustive
    /// What matters to the test: the closure receives the state after, and the values that it
    /// assigns have to be there already; actions before the expected one are skipped.
    case partial
}
