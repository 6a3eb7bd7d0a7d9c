// SPDX-License-Identifier: MIT

public import EntityTables

/// The stacks of several windows or browser tabs that show one state.
///
/// ```swift
/// struct AppState: Sendable { var tabs = RouteTabs<Screen>() }
/// let store = Store(AppState()) { Scope(\.tabs, TabNavigation<Screen>()) }
/// ```
///
/// ``TabAction``s open and close tabs, and each tab navigates by itself: see ``TabNavigation``.
public struct RouteTabs<Route: Equatable & Sendable>: Equatable, Sendable {
    /// The open tabs, in the order in which they were opened.
    public internal(set) var open: EntityTable<RouteTab<Route>> = []
    /// The maximum number of open tabs; opening one more closes the oldest.
    public let limit: Int

    /// Creates tabs of which none is open.
    public init(limit: Int = 64) {
        self.limit = max(limit, 1)
    }

    /// Where a tab is; nil if it isn't open.
    public subscript(id: String) -> RouteStack<Route>? { open[id: id]?.routes }

    /// Opens a tab; one that is already open stays where it is.
    ///
    /// - Complexity: O(log tabs).
    mutating func admit(_ id: String, at routes: RouteStack<Route>) {
        guard open.append(RouteTab(id: id, routes: routes)), open.count > limit else { return }
        if let oldest = open.first { open.remove(id: oldest.id) }
    }
}

extension RouteTabs: RoutePlace {
    package var shownRoutes: any Sendable { self }

    package var shownStacks: [(name: String, text: String)] {
        open.flatMap { tab in tab.routes.shownStacks.map { (tab.id, $0.text) } }
    }
}

// MARK: - Coding

private enum CodingKeys: String, CodingKey { case open, limit }

extension RouteTabs: Encodable where Route: Encodable {
    /// Writes the tabs and their maximum number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(open, forKey: .open)
        try container.encode(limit, forKey: .limit)
    }
}

extension RouteTabs: Decodable where Route: Decodable {
    /// Reads the tabs; if there are more than the maximum, the oldest are closed.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(limit: try container.decode(Int.self, forKey: .limit))
        for tab in try container.decode(EntityTable<RouteTab<Route>>.self, forKey: .open) {
            admit(tab.id, at: tab.routes)
        }
    }
}
