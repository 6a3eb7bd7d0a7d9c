// SPDX-License-Identifier: MIT

import ToDoCore
import ToDoTasks

/// The field to search with, and which tasks to show.
struct SearchView: Equatable, Sendable {
    struct Choice: Equatable, Sendable {
        let name: String
        let count: Int
        let url: String
        let isCurrent: Bool
    }

    let search: String
    /// The filter for the field's form; nil for all tasks.
    let show: String?
    let choices: [Choice]

    init(_ list: ListView) {
        let query = list.query
        search = query.search
        show = query.show == .all ? nil : query.show.rawValue
        choices = Query.Show.allCases.map { show in
            Choice(
                name: show.name, count: list.counts[show] ?? 0,
                url: Screen.list(Query(search: query.search, show: show)).url,
                isCurrent: show == query.show)
        }
    }
}

extension Query.Show {
    fileprivate var name: String {
        switch self {
        case .all: "All"
        case .toDo: "To do"
        case .done: "Done"
        }
    }
}
