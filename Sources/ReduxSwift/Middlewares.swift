// SPDX-License-Identifier: MIT

/// Middlewares for stores of a type of state; apps add their own in extensions.
///
/// Those listed here hold the store weakly, so that it can be released.
public struct Middlewares<State> {
    /// Runs each ``THUNK`` instead of passing it on.
    public static func thunk(
        store: Store<State>, yield: @escaping Dispatcher
    ) -> Dispatcher {
        { [weak store] action in
            guard let thunk = action as? THUNK<State> else { return yield(action) }
            if let store { thunk.thunk(store) }
            return action
        }
    }

    /// Prints each action with the state before it, and again with the state after it.
    public static func logger(
        store: Store<State>, yield: @escaping Dispatcher
    ) -> Dispatcher {
        logging { print($0) }(store, yield)
    }

    /// The same, with a closure that takes the lines.
    public static func logging(to write: @escaping (String) -> Void) -> Store<State>.MiddleWare {
        { store, yield in
            { [weak store] action in
                if let store { write("→ \(action), state: \(store.state)") }
                let result = yield(action)
                if let store { write("← \(action), state: \(store.state)") }
                return result
            }
        }
    }
}
