// SPDX-License-Identifier: MIT

import Onward
import ToDoCore
import ToDoSync

/// What a screen reader says by itself.
struct NewsView: Equatable, Sendable {
    let text: String

    init(_ app: ToDo, _ list: ListView) {
        text =
            if app.list.isLoading {
                app.list.tasks.isEmpty ? "Loading tasks…" : ""
            } else {
                app.list.problem?.reason
                    ?? (list.total == 1 ? "1 task" : "\(list.total) tasks")
            }
    }
}
