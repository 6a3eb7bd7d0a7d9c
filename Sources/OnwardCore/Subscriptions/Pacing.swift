// SPDX-License-Identifier: MIT

/// Spaces the calls of a subscriber that wants at most one per pause: a pure machine.
struct Pacing {
    private enum State {
        /// The last call was made longer than a pause ago.
        case resting
        /// A call was made less than a pause ago; perhaps changes wait for its end.
        case pausing(Joining)
    }

    private var state = State.resting

    /// Takes a change; the change to call with now, beginning a pause.
    ///
    /// `skipped` gets what is to be released.
    mutating func offer(_ change: Change, skipping skipped: inout Change?) -> Change? {
        guard case .pausing(var joining) = state else {
            state = .pausing(Joining())
            return change
        }
        _ = joining.join(change, skipping: &skipped)
        state = .pausing(joining)
        return nil
    }

    /// Ends a pause; the change to call with now, beginning the next one.
    mutating func pauseEnded() -> Change? {
        guard case .pausing(var joining) = state, let change = joining.take() else {
            state = .resting
            return nil
        }
        state = .pausing(joining)
        return change
    }
}
