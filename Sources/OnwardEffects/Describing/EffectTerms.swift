// SPDX-License-Identifier: MIT

internal import OnwardCore

/// An effect's properties besides its work: which effects it affects, and what is called at its
/// end.
struct EffectTerms: Sendable {
    var id: EffectID?
    var policy = EffectPolicy.concurrent
    var handler: (@Sendable (any Error) async -> Void)?
    /// Called after it was cancelled.
    var cancellation: (@Sendable () async -> Void)?

    /// How many nested debounces and throttles are around its work.
    var gateCount = 0

    /// Whether they say nothing.
    var isBare: Bool {
        id == nil && policy == .concurrent && handler == nil && cancellation == nil
            && gateCount == 0
    }

    /// Holds the terms of an effect apart from it.
    final class Box: Sendable {
        let terms: EffectTerms

        init(terms: EffectTerms) {
            self.terms = terms
        }
    }
}
