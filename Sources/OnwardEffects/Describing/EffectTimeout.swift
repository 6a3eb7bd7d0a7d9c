// SPDX-License-Identifier: MIT

/// Thrown by an effect that took longer than its ``Effect/timeout(after:)``.
public struct EffectTimeout: Error, Sendable, Hashable, CustomStringConvertible {
    let limit: Duration

    /// A sentence with the effect's time limit.
    public var description: String { "The effect did not end within \(limit)." }
}
