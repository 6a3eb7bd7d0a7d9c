// SPDX-License-Identifier: MIT

package import Onward

/// Runs another library's reducer, which makes a new state from the old one, in a store of Onward.
///
/// Such a reducer need not be `Sendable`, hence `@unchecked`. Invariant: the reducer and `before` are
/// used only inside the store's reducers, so by the one thread that holds its lock.
package final class Reduction<State, Base>: Part, @unchecked Sendable {
    package typealias Reducer = (_ action: Base, _ state: State?) -> State

    private let reducer: Reducer
    /// The state that is being reduced, for a reducer that asks the store for it.
    ///
    /// Unchecked, as the reducer reads it between two writes of the same thread, and each action would pay for three
    /// checks.
    @exclusivity(unchecked) private var before: State?

    package init(_ reducer: @escaping Reducer) {
        self.reducer = reducer
    }

    package func register(in registration: inout Registration<BridgedState<State>>) {
        registration.reduce(BridgedAction<Base>.self) { [self] state, action in
            before = state.state
            state.state = reducer(action.base, state.state)
            before = nil
        }
        registration.reduce(BridgedAssignment<State>.self) { state, assignment in
            state.state = assignment.state
        }
    }

    /// The state of a store with this reducer: inside the reducer, the one it was given.
    package func state(of store: Store<BridgedState<State>>) -> State? {
        store.isReducing ? before : store.state.state
    }
}
