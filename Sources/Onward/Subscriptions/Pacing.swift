// SPDX-License-Identifier: MIT

/// Joins the changes of a subscriber that does not want, or cannot take, each one: a pure machine.
struct Pacing {
    /// What the subscriber was given last and what it should be given next.
    typealias Pair = (old: ValueCopy, new: ValueCopy)

    private enum State {
        /// Nothing waits.
        case resting
        /// A change waits for the next occasion, and newer ones join it.
        case joining(Pair)
        /// A call was made less than a pause ago; perhaps a change waits.
        case pausing(Pair?)
    }

    private var state = State.resting

    /// Whether changes wait for an occasion.
    var isJoining: Bool {
        if case .joining = state { true } else { false }
    }

    /// Takes a change that waits; true for the first one, which has to see to an occasion.
    mutating func join(_ pair: Pair) -> Bool {
        guard case .joining(let first) = state else {
            state = .joining(pair)
            return true
        }
        state = .joining((first.old, pair.new))
        return false
    }

    /// Takes the change that waits.
    mutating func takeJoined() -> Pair? {
        guard case .joining(let pair) = state else { return nil }
        state = .resting
        return pair
    }

    /// Takes a change of a subscriber that is called at most once per pause; the pair to call with
    /// now, beginning a pause.
    mutating func offer(_ pair: Pair) -> Pair? {
        guard case .pausing(let first) = state else {
            state = .pausing(nil)
            return pair
        }
        state = .pausing((first?.old ?? pair.old, pair.new))
        return nil
    }

    /// Ends a pause; the pair to call with now, beginning the next one.
    mutating func pauseEnded() -> Pair? {
        guard case .pausing(let pair?) = state else {
            state = .resting
            return nil
        }
        state = .pausing(nil)
        return pair
    }
}
