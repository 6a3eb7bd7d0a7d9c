// SPDX-License-Identifier: MIT

public import Onward
public import ToDoTasks

/// What happens by itself; users can't send it.
public enum AppEvent: Action, Codable, Equatable {
    /// There is a fresh id for the next task.
    case prepared(id: TaskItem.ID)
    /// These tasks are open on no screen any more.
    case left([TaskItem.ID])
}
