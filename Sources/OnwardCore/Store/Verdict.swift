// SPDX-License-Identifier: MIT

/// A timeline's answer to a proposal.
public enum Verdict: Sendable, Hashable {
    /// The reducers run.
    case accept
    /// Nothing changes; the timeline may keep the action.
    case withhold
}
