// SPDX-License-Identifier: MIT

public import OnwardCore

/// The feature of a ``RouteStack``, which moves the stack as each ``NavigationAction`` says.
///
/// ```swift
/// let store = Store(AppState()) { Scope(\.routes, Navigation<Screen>()) }
/// store.dispatch(NavigationAction.push(Screen.categories))
/// ```
public struct Navigation<Route: Equatable & Sendable>: Part {
    /// The state that it works on.
    public typealias State = RouteStack<Route>

    private let depthLimit: Int

    /// Creates the feature of a stack.
    ///
    /// - Parameter depthLimit: The maximum number of screens; beyond it, the oldest ones above the
    ///   root are forgotten, and with 1 the root as well.
    public init(depthLimit: Int = 100) {
        self.depthLimit = depthLimit
    }

    /// Registers the reducer.
    public func register(in registration: inout Registration<RouteStack<Route>>) {
        registration.reduce(NavigationAction<Route>.self) { [depthLimit] stack, action in
            stack.apply(action)
            stack.forgetScreens(beyond: depthLimit)
        }
    }
}
