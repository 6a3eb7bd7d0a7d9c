// SPDX-License-Identifier: MIT

public import ReSwift

/// Shows a route.
public struct SetRouteAction: Action {
    /// The name of the action where actions are recorded by name.
    public static let type = "RE_SWIFT_ROUTER_SET_ROUTE"
    /// The whole route, from the root on.
    public let route: Route
    /// Whether the transition is animated.
    public let animated: Bool

    /// Shows a route, by default with animation.
    public init(_ route: Route, animated: Bool = true) {
        self.route = route
        self.animated = animated
    }
}
