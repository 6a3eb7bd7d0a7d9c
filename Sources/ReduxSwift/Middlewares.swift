// SPDX-License-Identifier: MIT

/// Middlewares for stores of a type of state.
public enum Middlewares<State> {
    /// Runs each ``THUNK`` instead of passing it on.
    public static var thunk: Middleware<State> {
        { store in
            { next in
                { [weak store] action in
                    guard let thunk = action as? THUNK<State> else { return next(action) }
                    if let store { thunk.run(store) }
                    return action
                }
            }
        }
    }

    /// Prints each action with the state before, and again with the state after it.
    public static var logger: Middleware<State> {
        logging { print($0) }
    }

    /// The same, with lines that go elsewhere.
    public static func logging(to write: @escaping (String) -> Void) -> Middleware<State> {
        { store in
            { next in
                { [weak store] action in
                    if let store { write("→ \(action), state: \(store.state)") }
                    let result = next(action)
                    if let store { write("← \(action), state: \(store.state)") }
                    return result
                }
            }
        }
    }
}
