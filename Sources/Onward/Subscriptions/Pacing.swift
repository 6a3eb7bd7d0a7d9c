// SPDX-License-Identifier: MIT

/// Joins the changes of a subscriber that does not want each one: a pure machine.
struct Pacing {
    /// What the subscriber was given last and what it should be given next.
    typealias Pair = (old: ValueCopy, new: ValueCopy)

    private enum State {
        /// Nothing waits.
        case resting
        /// A change waits until newer ones are known to be none.
        case joining(Pair)
        /// A call was made less than the duration ago; perhaps a change waits.
        case pausing(Pair?)
    }

    private var state = State.resting
    private let policy: DeliveryPolicy
    private let isSame: Change.IsSame?

    init(_ policy: DeliveryPolicy, _ isSame: Change.IsSame?) {
        self.policy = policy
        self.isSame = isSame
    }

    /// What the shell does next.
    enum Step {
        /// Nothing now.
        case wait
        /// Calls the subscriber.
        case call(Pair)
        /// Starts the pause of that length, then calls the subscriber.
        case callAndPause(Pair, Duration)
    }

    /// Takes a change; `isBehind` says that a newer one is on its way.
    mutating func offer(_ old: ValueCopy, _ new: ValueCopy, isBehind: Bool) -> Step {
        switch (policy, state) {
        case (.every, _): return .call((old, new))
        case (.latest, .joining(let first)): return join((first.old, new), isBehind)
        case (.latest, _): return join((old, new), isBehind)
        case (.atMostOnce, .pausing(let first)):
            state = .pausing((first?.old ?? old, new))
            return .wait
        case (.atMostOnce(let duration), _):
            state = .pausing(nil)
            return .callAndPause((old, new), duration)
        }
    }

    /// Takes the change that waits, for a subscriber that is called now.
    mutating func takeJoined() -> Pair? {
        guard case .joining(let pair) = state else { return nil }
        state = .resting
        return isRepeat(pair) ? nil : pair
    }

    /// Ends a pause.
    mutating func pauseEnded() -> Step {
        guard case .atMostOnce(let duration) = policy, case .pausing(let pair) = state,
            let pair, !isRepeat(pair)
        else {
            state = .resting
            return .wait
        }
        state = .pausing(nil)
        return .callAndPause(pair, duration)
    }

    private mutating func join(_ pair: Pair, _ isBehind: Bool) -> Step {
        guard isBehind else {
            state = .resting
            return isRepeat(pair) ? .wait : .call(pair)
        }
        state = .joining(pair)
        return .wait
    }

    private func isRepeat(_ pair: Pair) -> Bool { isSame?(pair.old.pointer, pair.new.pointer) ?? false }
}
