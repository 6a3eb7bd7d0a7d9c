// SPDX-License-Identifier: MIT

import Onward

/// Where a workload dispatches: `#isolation`, which a dispatch asks for, costs something on an actor.
enum Caller: Sendable {
    case nowhere
    /// Runs on the main thread only.
    case mainActor

    /// What is added to a workload's summary.
    var suffix: String { self == .mainActor ? ", from the main actor" : "" }

    /// Dispatches the actions of the numbers from 0 on.
    @inline(__always)
    func dispatch<State, A: Action>(
        to store: Store<State>, times count: Int, _ action: @Sendable (Int) -> A
    ) {
        switch self {
        case .nowhere: for index in 0..<count { store.dispatch(action(index)) }
        case .mainActor:
            MainActor.assumeIsolated {
                for index in 0..<count { store.dispatch(action(index)) }
            }
        }
    }
}
