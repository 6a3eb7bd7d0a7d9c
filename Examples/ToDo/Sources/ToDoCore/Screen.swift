// SPDX-License-Identifier: MIT

public import OnwardNavigation
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

/// A screen is written by its parts, so that a report can replace what users have entered. It is read from these, or
/// from its URL, which forms send.
extension Screen: Codable {
    private struct Parts: Codable { var list: Query?, task: TaskItem.ID?, isNew: Bool? }

    /// Reads a URL or the parts.
    public init(from decoder: any Decoder) throws {
        let (url, parts) = (try? String(from: decoder), try? Parts(from: decoder))
        self =
            url.map { Self.codec.route(at: $0) } ?? parts?.list.map(Screen.list)
            ?? parts?.task.map(Screen.task) ?? (parts?.isNew == true ? .new : .notFound)
    }

    /// Writes the parts.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .list(let query): try Parts(list: query).encode(to: encoder)
        case .task(let id): try Parts(task: id).encode(to: encoder)
        case .new, .notFound: try Parts(isNew: self == .new).encode(to: encoder)
        }
    }
}
