// SPDX-License-Identifier: MIT

import ToDoCore

/// What a screen reader says by itself.
struct NewsView: Equatable, Sendable {
    let text: String

    init(_ app: ToDo, _ list: ListView) {
        text =
            switch app.phase {
            case .idle, .loading: app.tasks.isEmpty ? "Loading tasks…" : ""
            case .failed(let problem): problem.reason
            case .loaded: list.total == 1 ? "1 task" : "\(list.total) tasks"
            }
    }
}
