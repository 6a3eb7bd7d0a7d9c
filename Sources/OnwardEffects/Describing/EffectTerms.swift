// SPDX-License-Identifier: MIT

internal import OnwardCore

/// What an effect is besides its work: which effects it affects, when it starts, what is notified
/// of its end.
struct EffectTerms: Sendable {
    var id: EffectID?
    var policy = EffectPolicy.concurrent
    var timing: EffectTiming?
    var handler: (@Sendable (any Error) async -> Void)?
    /// Called after it was cancelled.
    var cancellation: (@Sendable () async -> Void)?

    /// Whether they say nothing; a policy says nothing without an id.
    var isBare: Bool { id == nil && timing == nil && handler == nil && cancellation == nil }

    /// Holds the terms of an effect apart from it.
    final class Box: Sendable {
        let terms: EffectTerms

        init(terms: EffectTerms) {
            self.terms = terms
        }
    }
}
