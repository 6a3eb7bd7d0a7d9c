// SPDX-License-Identifier: MIT

import Onward

/// An effect that a history starts.
struct EffectPlan: Sendable, Hashable {
    enum Step: Sendable, Hashable {
        /// Dispatches to the instance that the effect belongs to.
        case answer
        case sleep(Int)
        case yield
        case idle
        case fail
        case read
    }

    enum Timing: Sendable, Hashable {
        case none
        case debounce(Int)
        case throttle(Int, ThrottleEdge)
    }

    enum Wrap: Sendable, Hashable {
        case none, timeout(Int), retry, repeated(Int), sequence, merge
        /// The timing is that of a step of a sequence: a task submits it.
        case pacedStep
    }

    /// Distinguishes it from all others of the history.
    var serial: Int
    var id: Int?
    /// Whether the id is of a type that uses the store.
    var hasOddID = false
    var policy: EffectPolicy
    var timing: Timing
    var wrap: Wrap
    var steps: [Step]

}
