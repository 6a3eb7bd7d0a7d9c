// SPDX-License-Identifier: MIT

internal import OnwardCore

/// An error that an effect threw and for which it had no handler.
public struct EffectFailure: Sendable, CustomStringConvertible {
    /// What was thrown.
    public let error: any Error
    /// The effect.
    public let effect: RunningEffect
    /// Whether the effect had been cancelled before it threw.
    ///
    /// Such an error is usually the echo of the cancellation: many libraries answer it with an
    /// error of their own instead of `CancellationError`, which is never reported.
    public let isAfterCancellation: Bool

    /// A sentence with the effect, what started it, and the error.
    public var description: String {
        let moment = isAfterCancellation ? " after it was cancelled" : ""
        return effect.sentence("failed\(moment): \(error)")
    }
}
