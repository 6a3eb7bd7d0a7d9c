// SPDX-License-Identifier: MIT

/// The part of an app's state that says what is shown.
public struct NavigationState {
    /// What is shown.
    public var route: Route = []
    /// The data of individual routes, such as the item that a screen shows.
    public var routeSpecificState: [RouteHash: Any] = [:]
    /// Whether the transition to the route is animated.
    public var changeRouteAnimated = true

    /// A state in which nothing is shown.
    public init() {}

    /// The data of a route; nil if there is none, or if it has another type.
    public func getRouteSpecificState<Value>(_ route: Route) -> Value? {
        routeSpecificState[RouteHash(route: route)] as? Value
    }
}
