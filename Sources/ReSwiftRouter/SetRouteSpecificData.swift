// SPDX-License-Identifier: MIT

public import ReSwift

/// Sets the data of a route, usually before that route is shown.
public struct SetRouteSpecificData: Action {
    /// The whole route, from the root on.
    public let route: Route
    /// The data of the route.
    public let data: Any

    /// Sets the data of a route.
    public init(route: Route, data: Any) {
        self.route = route
        self.data = data
    }
}
