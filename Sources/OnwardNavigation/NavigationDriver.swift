// SPDX-License-Identifier: MIT

/// Something that shows a stack of routes: a window, a navigation controller, a terminal.
///
/// A ``Navigator`` calls it, one step after another.
public protocol NavigationDriver<Route>: Sendable {
    /// The type of the routes in the stack.
    associatedtype Route: Equatable & Sendable

    /// Shows one step, and returns when it is shown.
    ///
    /// The next step waits until then, and so for the end of an animation. If the user has already
    /// moved (a swipe back), the step that follows from the action is already done, and this
    /// returns at once. A driver isolated to an actor is called there.
    func perform(_ step: NavigationStep<RouteLevel<Route>>) async
}
