// SPDX-License-Identifier: MIT

/// Finds the route of a URL, and the URL of a route.
///
/// ```swift
/// let codec = RouteCodec<Screen>(notFound: .notFound, [
///     RoutePattern("/", .menu),
///     RoutePattern("/categories", .categories),
///     RoutePattern("/game", .game),
/// ])
/// ```
///
/// URLs come from outside: whatever they contain, there is an answer, and a URL that matches no
/// pattern means the `notFound` route. Outgoing URLs are canonical: each route has one.
///
/// The law: `route(at: text)` of a route's `text` is that route. It holds if each pattern's `read`
/// and `write` undo each other and no earlier pattern matches the same URL, so put specific
/// patterns before general ones.
public struct RouteCodec<Route: Equatable & Sendable>: Sendable {
    private let read: @Sendable (RouteLocation) -> Route?
    private let write: @Sendable (Route) -> RouteLocation?
    private let notFound: @Sendable (String) -> Route

    /// Creates a codec from two functions.
    ///
    /// - Parameters:
    ///   - notFound: The route for an unknown URL; called with the URL's text, which may be
    ///     anything.
    ///   - read: The route at a location; nil for an unknown one.
    ///   - write: The location of a route; nil for one that has none.
    public init(
        notFound: @escaping @Sendable (String) -> Route,
        read: @escaping @Sendable (RouteLocation) -> Route?,
        write: @escaping @Sendable (Route) -> RouteLocation?
    ) {
        self.read = read
        self.write = write
        self.notFound = notFound
    }

    /// Creates a codec from patterns; the first one that matches counts.
    ///
    /// - Parameters:
    ///   - notFound: The route for unknown URLs.
    ///   - patterns: The patterns of all routes that have a URL.
    public init(notFound: Route, _ patterns: [RoutePattern<Route>]) {
        self.init(notFound: { _ in notFound }, patterns)
    }

    /// Creates a codec from patterns, with a route for unknown URLs that remembers them.
    public init(
        notFound: @escaping @Sendable (String) -> Route, _ patterns: [RoutePattern<Route>]
    ) {
        self.init(
            notFound: notFound,
            read: { location in patterns.lazy.compactMap { $0.read(location) }.first },
            write: { route in patterns.lazy.compactMap { $0.write(route) }.first })
    }

    /// The route at a URL's path and query; nil if it is unknown, malformed or too long.
    ///
    /// - Complexity: O(length of the text), plus the cost of the patterns.
    public func find(_ text: String) -> Route? { RouteLocation(text).flatMap(read) }

    /// The route at a URL's path and query, or else the route for unknown URLs.
    public func route(at text: String) -> Route { find(text) ?? notFound(text) }

    /// The path and query of a route's URL; nil for a route without one, or one beyond the limits
    /// of a ``RouteLocation``.
    public func text(of route: Route) -> String? {
        guard let location = write(route), location.segments.count <= RouteLocation.segmentLimit,
            location.query.fields.count <= RouteLocation.fieldLimit
        else { return nil }
        let text = location.description
        return text.utf8.count <= RouteLocation.textLimit ? text : nil
    }

    /// The stack that a link to a URL opens: the screens at the shorter paths, as far as they are
    /// known, and on top of them the route at the URL.
    ///
    /// `/categories` opens the screen at `/` and on top of it the one at `/categories`, so that
    /// there is a way back. An unknown URL opens only the route for unknown URLs.
    public func stack(at text: String) -> RouteStack<Route> {
        guard let location = RouteLocation(text), let route = read(location) else {
            return RouteStack(notFound(text))
        }
        let parents = location.parents.compactMap(read).filter { $0 != route }
        guard let root = parents.first else { return RouteStack(route) }
        return RouteStack(root, pushed: parents.dropFirst() + [route])
    }
}
