// SPDX-License-Identifier: MIT

/// The form of the URLs for one kind of route.
///
/// ```swift
/// RoutePattern("/categories", .categories)
/// RoutePattern("/albums/:id") { values in
///     values["id", as: Int.self].map { .album($0, side: values["side"]) }
/// } write: { route in
///     if case .album(let id, let side) = route { ["id": id, "side": side] } else { nil }
/// }
/// ```
///
/// In the pattern, a segment that begins with `:` is a name: any segment matches there, and becomes
/// the value with that name. The fields of the query are values, too. Written values whose names
/// aren't in the path become the query.
public struct RoutePattern<Route: Sendable>: Sendable {
    private enum Segment: Sendable {
        case text(String)
        case name(String)
    }

    private let segments: [Segment]
    private let route: @Sendable (RouteValues) -> Route?
    private let values: @Sendable (Route) -> RouteValues?

    /// Creates the pattern of routes that hold values.
    ///
    /// Both closures must be pure; each undoes the other.
    ///
    /// - Parameters:
    ///   - pattern: The path, such as `/albums/:id`.
    ///   - read: Makes a route from the values; nil if they don't belong to any.
    ///   - write: The values of a route; nil if it is of another kind.
    public init(
        _ pattern: String, read: @escaping @Sendable (RouteValues) -> Route?,
        write: @escaping @Sendable (Route) -> RouteValues?
    ) {
        segments = pattern.split(separator: "/").map { segment in
            segment.first == ":" ? .name(String(segment.dropFirst())) : .text(String(segment))
        }
        route = read
        values = write
    }

    /// Creates the pattern of a single route.
    public init(_ pattern: String, _ route: Route) where Route: Equatable {
        self.init(pattern, read: { _ in route }, write: { $0 == route ? [:] : nil })
    }

    /// The route at a location; nil if the pattern does not fit.
    ///
    /// - Complexity: O(segments), plus the cost of `read`.
    func read(_ location: RouteLocation) -> Route? {
        guard location.segments.count == segments.count else { return nil }
        var found: RouteValues = [:]
        for (segment, text) in zip(segments, location.segments) {
            switch segment {
            case .text(let expected): if text != expected { return nil }
            case .name(let name): found.append(text, as: name)
            }
        }
        // Values of the path come first, so that no field of the query can pass for one of them.
        for field in location.query.fields { found.append(field.value, as: field.name) }
        return route(found)
    }

    /// The location of a route; nil if it is of another kind or lacks a value of the path.
    func write(_ route: Route) -> RouteLocation? {
        guard var rest = values(route) else { return nil }
        var path: [String] = []
        for segment in segments {
            switch segment {
            case .text(let text): path.append(text)
            case .name(let name):
                guard let value = rest.removeFirst(name) else { return nil }
                path.append(value)
            }
        }
        return RouteLocation(path, query: rest)
    }
}
