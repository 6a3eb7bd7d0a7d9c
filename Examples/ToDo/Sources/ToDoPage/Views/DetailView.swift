// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation
import ToDoCore
import ToDoSync
import ToDoTasks

/// One task, to look at and to edit; otherwise what stands in its place.
struct DetailView: Equatable, Sendable {
    let task: Fields?
    /// What is said where there is no task.
    let emptiness: String?
    let isElsewhere: Bool
    /// What can be done about that.
    let advice: String
    /// Where the list is.
    let list: String

    struct Fields: Equatable, Sendable {
        let id: TaskItem.ID
        let heading: String
        let name: String
        let notes: String
        let date: String
        let isDone: Bool
        let isAdded: Bool
        let isEdited: Bool
    }

    init(_ app: ToDo, at routes: RouteStack<Screen>) {
        let isAdded = routes.current == .new
        task = app.selection(at: routes.current).map { selection in
            let task = selection.task
            return Fields(
                id: task.id, heading: isAdded ? "New task" : "Task", name: task.name,
                notes: task.notes ?? "", date: task.dueDate?.slashed ?? "--",
                isDone: task.state == .done, isAdded: isAdded,
                isEdited: !isAdded && app.list.tasks[id: task.id] != task)
        }
        list = Screen.list(routes.query).url
        isElsewhere = if case .list = routes.current { false } else { task == nil }
        emptiness =
            switch routes.current {
            case .list: "Choose a task to see more of it."
            case .notFound: "There is nothing here."
            case .new, .task: app.list.isLoaded ? "There is no such task." : "Loading…"
            }
        advice =
            switch routes.current {
            case .notFound: "The address leads to no page. It may have been mistyped."
            case .task where app.list.isLoaded: "It may have been deleted meanwhile."
            case .list, .new, .task: ""
            }
    }
}

extension ToDo {
    /// The task that a screen is about.
    func selection(at screen: Screen) -> ToDoCore.Selection? {
        switch screen {
        case .new: adding
        case .task(let id): selection(of: id)
        case .list, .notFound: nil
        }
    }
}
