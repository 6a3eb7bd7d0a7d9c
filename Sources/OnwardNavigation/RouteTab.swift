// SPDX-License-Identifier: MIT

/// One window or browser tab with a stack of its own.
public struct RouteTab<Route: Equatable & Sendable>: Identifiable, Equatable, Sendable {
    /// The name of the tab.
    public let id: String
    /// Where the tab is.
    public var routes: RouteStack<Route>

    /// Creates a tab at a stack.
    public init(id: String, routes: RouteStack<Route>) {
        self.id = id
        self.routes = routes
    }
}

extension RouteTab: Encodable where Route: Encodable {}
extension RouteTab: Decodable where Route: Decodable {}
