// SPDX-License-Identifier: MIT

/// A gate's answer about a pending commit.
public enum CommitGateDecision: Sendable, Hashable {
    /// The reducers run.
    case accept
    /// Nothing changes; the gate may keep the action.
    case withhold
}
