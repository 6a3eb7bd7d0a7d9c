// SPDX-License-Identifier: MIT

/// A route as the key under which its data is kept.
public struct RouteHash: Hashable, Sendable {
    private let route: Route

    /// The key of a route.
    public init(route: Route) {
        self.route = route
    }
}
