// SPDX-License-Identifier: MIT

internal import OnwardCore

/// When an effect of an id may start, before its policy is asked.
enum EffectTiming: Sendable, Hashable {
    /// When no other came for a duration.
    case debounce(Duration)
    /// At most one per duration.
    case throttle(Duration, ThrottleEdge)
}
