// SPDX-License-Identifier: MIT

internal import DequeModule
package import OnwardCore

/// An effect that has ended, as remembered by a store that is being recorded.
package struct EndedEffect: Sendable {
    /// How it ended.
    package enum Outcome: Sendable {
        case finished
        case failed(any Error)
        /// The piece of state that kept it has changed or gone, or the past is shown.
        case endedByState
        /// It was cancelled, or never started.
        case cancelled
    }

    /// What it was.
    package let effect: RunningEffect
    /// When it ended, by the store's wall clock.
    package let end: Timestamp
    package let outcome: Outcome
}

/// The effects of a store that ended last.
struct EndedEffects: Sendable {
    private var effects = Deque<EndedEffect>()
    private let limit: Int

    init(limit: Int) { self.limit = max(limit, 1) }

    /// In the order in which they ended.
    var list: [EndedEffect] { Array(effects) }

    /// Adds one; returns the one that is forgotten for it, to be released outside the lock.
    mutating func add(_ effect: EndedEffect) -> EndedEffect? {
        effects.append(effect)
        return effects.count > limit ? effects.popFirst() : nil
    }
}

extension StoreDiagnostics {
    /// Makes the whole store remember effects that end from here on; does nothing if it already
    /// does.
    ///
    /// - Parameter limit: The maximum number of effects; the oldest ones are forgotten.
    package func recordEffects(limit: Int) { store.engine.effects.record(limit: limit) }

    /// The effects of the whole store that have ended, in the order in which they did; empty if
    /// nothing records them.
    package var endedEffects: [EndedEffect] { store.engine.effects.ended }
}
