// SPDX-License-Identifier: MIT

public import Onward
public import ToDoTasks

/// What a user can do on the screen of one task.
public enum SelectionAction: Action, Codable, Equatable {
    /// Another title.
    case title(id: TaskItem.ID, name: String)
    /// Other notes; none if the text is empty.
    case notes(id: TaskItem.ID, notes: String)
    /// The check button.
    case toggle(id: TaskItem.ID)
    /// Shows the date selector.
    case chooseDate(id: TaskItem.ID)
    /// Hides it, and the date stays.
    case keepDate(id: TaskItem.ID)
    /// Another date, which hides the date selector.
    case date(id: TaskItem.ID, date: CalendarDate)
    /// No date any more, which hides the date selector.
    case removeDate(id: TaskItem.ID)
    /// Forgets what isn't saved; for a task that is being added: begins with an empty one.
    case discard(id: TaskItem.ID)
    /// Saves the task, with what its fields say.
    case save(id: TaskItem.ID, name: String, notes: String)

    var id: TaskItem.ID {
        switch self {
        case .title(let id, _), .notes(let id, _), .toggle(let id), .chooseDate(let id),
            .keepDate(let id), .date(let id, _), .removeDate(let id), .discard(let id),
            .save(let id, _, _):
            id
        }
    }
}
