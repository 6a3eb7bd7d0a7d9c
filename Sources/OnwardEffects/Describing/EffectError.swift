// SPDX-License-Identifier: MIT

internal import OnwardCore

/// An operating error that the library itself gives to an effect.
public struct EffectError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    ///
    /// There is one code so far; others may come, such as for retries that were used up.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String { case timedOut }
        private let kind: Kind

        /// The name of the code.
        public var description: String { kind.rawValue }

        /// The effect took longer than its ``Effect/timeout(after:)``.
        public static let timedOut = Code(kind: .timedOut)
    }

    /// What went wrong.
    public let code: Code
    /// A sentence about it.
    public let description: String

    static func timedOut(_ duration: Duration) -> EffectError {
        EffectError(
            code: .timedOut, description: "The effect did not end within \(duration).")
    }
}

/// Ends a sequence whose step was cancelled, dropped, or has already reported its error.
struct EffectSuperseded: Error {}
