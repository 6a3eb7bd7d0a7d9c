// SPDX-License-Identifier: MIT

internal import OnwardCore

/// Called with the errors of effects that have no handler of their own.
public struct EffectErrorHandler: Sendable {
    private let report: @Sendable (EffectFailure) -> Void

    /// A handler that runs `report` in the task of the effect that failed.
    public init(_ report: @escaping @Sendable (EffectFailure) -> Void) {
        self.report = report
    }

    /// Writes a line to standard error; leaves out what was thrown after a cancellation.
    public static let standard = EffectErrorHandler { failure in
        guard !failure.isAfterCancellation else { return }
        StandardError.say(failure)
    }

    func callAsFunction(_ failure: EffectFailure) {
        report(failure)
    }
}
