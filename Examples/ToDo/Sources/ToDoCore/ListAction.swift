// SPDX-License-Identifier: MIT

public import Onward
public import ToDoTasks

/// What a user can do on the screen of all tasks.
public enum ListAction: Action, Codable, Equatable {
    /// Asks the server for the tasks.
    case get
    /// Begins with an empty task, which isn't in the list before it is saved.
    case add
    /// The check button of a task.
    case toggle(id: TaskItem.ID)
    /// Deletes a task.
    case delete(id: TaskItem.ID)
    /// Sends what couldn't be sent.
    case sendAgain
    /// Closes the alert.
    case accept
}
