// SPDX-License-Identifier: MIT

public import Onward
public import ToDoTasks

/// The places a user can be at.
public enum Screen: Hashable, Sendable {
    case list(Query), new, task(TaskItem.ID), notFound

    /// The URLs of the places.
    public static let codec = RouteCodec<Screen>(
        notFound: .notFound,
        [
            RoutePattern("/") { values in
                .list(
                    Query(
                        search: values["search"] ?? "",
                        show: values["show"].flatMap(Query.Show.init) ?? .all,
                        rows: values["rows", as: Int.self] ?? Query.firstRows))
            } write: { screen in
                guard case .list(let query) = screen else { return nil }
                return [
                    "search": query.search.isEmpty ? nil : query.search,
                    "show": query.show == .all ? nil : query.show.rawValue,
                    "rows": query.rows == Query.firstRows ? nil : query.rows,
                ]
            },
            RoutePattern("/new", .new),
            RoutePattern("/task/:id") { values in
                values["id"].map { .task($0) }
            } write: { screen in
                if case .task(let id) = screen { ["id": id] } else { nil }
            },
        ])
}

/// A screen is written as its URL.
extension Screen: Codable {
    /// Reads a URL.
    public init(from decoder: any Decoder) throws {
        self = try Self.codec.route(at: decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the URL.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.codec.text(of: self) ?? "/not-found")
    }
}
