// SPDX-License-Identifier: MIT

/// Spaces the calls of a subscriber that wants at most one per pause: a pure machine.
struct ThrottleState {
    private enum State {
        /// The last call was made longer than a pause ago.
        case resting
        /// A call was made less than a pause ago; perhaps changes wait for its end.
        case pausing(CoalescedChanges)
    }

    private var state = State.resting

    /// Takes a change; the change to call with now, beginning a pause.
    ///
    /// `skipped` gets what is to be released.
    mutating func offer(_ change: Change, skipping skipped: inout Change?) -> Change? {
        guard case .pausing(var coalesced) = state else {
            state = .pausing(CoalescedChanges())
            return change
        }
        _ = coalesced.join(change, skipping: &skipped)
        state = .pausing(coalesced)
        return nil
    }

    /// Ends a pause; the change to call with now, beginning the next one.
    mutating func pauseEnded() -> Change? {
        guard case .pausing(var coalesced) = state, let change = coalesced.take() else {
            state = .resting
            return nil
        }
        state = .pausing(coalesced)
        return change
    }
}
