// SPDX-License-Identifier: MIT

import Onward
import ToDoCore
import ToDoSync

/// What a screen reader says by itself.
struct NewsView: Equatable, Sendable {
    let text: String

    init(_ app: ToDo, _ list: ListView) {
        text =
            switch app.list.known {
            case .idle, .loading: app.list.tasks.isEmpty ? "Loading tasks…" : ""
            case .failed(let problem, _): problem.reason
            case .loaded: list.total == 1 ? "1 task" : "\(list.total) tasks"
            }
    }
}
