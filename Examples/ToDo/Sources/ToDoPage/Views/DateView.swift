// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation
import ToDoCore
import ToDoTasks

/// The date selector; empty while it is hidden.
struct DateView: Equatable, Sendable {
    let isShown: Bool
    let id: TaskItem.ID
    /// The date as the browser's own field wants it.
    let date: String

    init(_ app: ToDo, at routes: RouteStack<Screen>) {
        let selection = app.selection(at: routes.current)
        isShown = selection?.isChoosingDate == true
        id = selection?.id ?? ""
        date = selection?.task.dueDate?.description ?? ""
    }
}
