// SPDX-License-Identifier: MIT

public import Onward
public import ToDoSync
public import ToDoTasks

/// What happens elsewhere; users can't send it.
public enum ServerEvent: Action, Codable, Equatable {
    /// The server's list came.
    case loaded([TaskItem])
    /// The server's list didn't come.
    case loadingFailed(Problem)
    /// The server did what the change of this number says.
    case sent(change: Int)
    /// The server didn't do it, or can't be reached.
    case sendingFailed(change: Int, Problem)
    /// There is a fresh id for the next task.
    case prepared(id: TaskItem.ID)
    /// These tasks are open on no screen any more.
    case left([TaskItem.ID])
}
