// SPDX-License-Identifier: MIT

/// A timeline's answer about a pending commit.
public enum TimelineDecision: Sendable, Hashable {
    /// The reducers run.
    case accept
    /// Nothing changes; the timeline may keep the action.
    case withhold
}
