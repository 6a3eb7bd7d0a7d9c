// SPDX-License-Identifier: MIT

import ToDoShared
import ToDoTasks

/// A shared task as a row.
struct SharedTaskView: Identifiable, Equatable, Sendable {
    let id: TaskItem.ID
    let name: String
    let isDone: Bool

    init(_ task: TaskItem) { (id, name, isDone) = (task.id, task.name, task.state == .done) }
}

/// The line on top of the shared list.
struct SharedTopView: Equatable, Sendable {
    let summary: String

    init(_ list: SharedList) {
        let done = list.tasks.count { $0.state == .done }
        summary = "\(list.tasks.count - done) to do, \(done) done, the same for everybody"
    }
}

/// What there is in place of shared tasks; empty when there are some.
struct SharedStageView: Equatable, Sendable {
    let emptiness: String?

    init(_ list: SharedList) {
        emptiness = list.tasks.isEmpty ? "There is nothing to do." : nil
    }
}
