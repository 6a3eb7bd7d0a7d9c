// SPDX-License-Identifier: MIT

import ToDoTasks

/// A task as it goes out: `dueDate` is `yyyy-MM-dd'T'HH:mm:ssZ` or absent.
struct TaskAnswer: Encodable {
    let id: String
    let name: String
    let dueDate: String?
    let notes: String?
    let state: Int

    init(_ task: TaskItem) {
        (id, name, dueDate, notes) = (task.id, task.name, task.dueDate?.timestamp, task.notes)
        state = task.state.rawValue
    }
}
