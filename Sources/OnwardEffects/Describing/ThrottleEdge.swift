// SPDX-License-Identifier: MIT

internal import OnwardCore

/// Which of the effects that arrive within one throttled duration start.
public enum ThrottleEdge: Sendable, Hashable {
    /// The first one at once; the others are dropped.
    case leading
    /// The newest one at the end of the duration.
    case trailing
    /// The first one at once, and the newest of the others at the end of the duration.
    case both
}
