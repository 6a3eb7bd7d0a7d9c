// SPDX-License-Identifier: MIT

internal import OnwardCore

/// An error that an effect threw without having a handler for it.
public struct EffectFailure: Sendable, CustomStringConvertible {
    /// The error that was thrown.
    public let error: any Error
    /// The effect that threw the error.
    public let effect: RunningEffect
    /// Whether the effect had been cancelled before it threw.
    ///
    /// Such an error usually just reflects the cancellation: many libraries respond to it with
    /// their own error instead of `CancellationError`, which is never reported.
    public let isAfterCancellation: Bool

    /// A sentence with the effect, what started it, and the error.
    public var description: String {
        let moment = isAfterCancellation ? " after it was cancelled" : ""
        return effect.sentence("failed\(moment): \(error)")
    }
}
