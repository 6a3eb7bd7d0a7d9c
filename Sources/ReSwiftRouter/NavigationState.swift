// SPDX-License-Identifier: MIT

/// The part of an app's state that says what is shown.
public struct NavigationState {
    /// What is shown.
    public var route: Route = []
    /// What belongs to single routes, such as the item that a screen shows.
    public var routeSpecificState: [RouteHash: Any] = [:]
    /// Whether the way to the route is animated.
    public var changeRouteAnimated = true

    /// A state in which nothing is shown.
    public init() {}

    /// What belongs to a route; nil when there is nothing, or something of another type.
    public func getRouteSpecificState<Value>(_ route: Route) -> Value? {
        routeSpecificState[RouteHash(route: route)] as? Value
    }
}
