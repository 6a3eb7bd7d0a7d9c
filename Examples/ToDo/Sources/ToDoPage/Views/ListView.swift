// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation
import ToDoCore
import ToDoSync
import ToDoTasks

/// What is looked for in the list, and what was found.
struct ListView: Sendable {
    let query: Query
    /// The rows that are shown.
    let rows: [TaskView]
    /// How many there are of those that are looked for, shown or not.
    let total: Int
    let counts: [Query.Show: Int]

    init(_ app: ToDo, at routes: RouteStack<Screen>) {
        query = routes.query
        let (found, counts) = query.find(in: app.list.tasks)
        let unsent = app.list.isResting ? Set(app.list.changes.map(\.task.id)) : []
        rows = found.prefix(query.rows).map { TaskView($0, isUnsent: unsent.contains($0.id)) }
        total = found.count
        self.counts = counts
    }
}

/// A task as a row.
struct TaskView: Identifiable, Equatable, Sendable {
    let id: TaskItem.ID
    let name: String
    /// The day on which it is due; nil where none was chosen.
    let date: String?
    let isDone: Bool
    let isUnsent: Bool
    let url: String

    init(_ task: TaskItem, isUnsent: Bool) {
        (id, name, self.isUnsent) = (task.id, task.name, isUnsent)
        date = task.dueDate?.slashed
        isDone = task.state == .done
        url = Screen.task(task.id).url
    }
}

extension RouteStack<Screen> {
    /// What the list shows, which lies under a task.
    var query: Query {
        screens.lazy.reversed().compactMap { screen -> Query? in
            if case .list(let query) = screen { query } else { nil }
        }.first ?? Query()
    }
}
