// SPDX-License-Identifier: MIT

/// Joins the changes of a subscriber that does not want, or cannot take, each one: a pure machine.
struct Pacing {
    private enum State {
        /// Nothing waits.
        case resting
        /// A change waits for the next occasion, and newer ones join it.
        case joining(Change)
        /// A call was made less than a pause ago; perhaps a change waits.
        case pausing(Change?)
    }

    private var state = State.resting

    /// Whether changes wait for an occasion.
    var isJoining: Bool {
        if case .joining = state { true } else { false }
    }

    /// Takes a change that waits; true for the first one, which has to see to an occasion.
    mutating func join(_ change: Change) -> Bool {
        guard case .joining(let first) = state else {
            state = .joining(change)
            return true
        }
        state = .joining(first.joined(with: change))
        return false
    }

    /// Takes the change that waits.
    mutating func takeJoined() -> Change? {
        guard case .joining(let change) = state else { return nil }
        state = .resting
        return change
    }

    /// Takes a change of a subscriber that is called at most once per pause; the change to call with
    /// now, beginning a pause.
    mutating func offer(_ change: Change) -> Change? {
        guard case .pausing(let first) = state else {
            state = .pausing(nil)
            return change
        }
        state = .pausing(first?.joined(with: change) ?? change)
        return nil
    }

    /// Ends a pause; the change to call with now, beginning the next one.
    mutating func pauseEnded() -> Change? {
        guard case .pausing(let change?) = state else {
            state = .resting
            return nil
        }
        state = .pausing(nil)
        return change
    }
}
