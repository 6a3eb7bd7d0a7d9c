// SPDX-License-Identifier: MIT

internal import OnwardCore

/// What an effect is besides its work: whom it meets, when it starts, who hears of its end.
struct EffectTerms: Sendable {
    var id: EffectID?
    var policy = EffectPolicy.every
    var pace: EffectPace?
    var handler: (@Sendable (any Error) async -> Void)?
    /// Called after it was cancelled.
    var cancellation: (@Sendable () async -> Void)?

    /// Holds the terms of an effect apart from it.
    final class Box: Sendable {
        let terms: EffectTerms

        /// Nil for terms that say nothing; a policy says nothing without an id.
        init?(_ terms: EffectTerms) {
            let isBare =
                terms.id == nil && terms.pace == nil && terms.handler == nil
                && terms.cancellation == nil
            guard !isBare else { return nil }
            self.terms = terms
        }
    }
}
