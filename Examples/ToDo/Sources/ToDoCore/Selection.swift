// SPDX-License-Identifier: MIT

public import ToDoTasks

/// A task that is open on a screen of its own, with its unsaved edits.
public struct Selection: Codable, Equatable, Identifiable, Sendable {
    /// The task with the edits.
    public internal(set) var task: TaskItem
    /// Whether the date selector is shown.
    public internal(set) var isChoosingDate = false

    /// The task's id.
    public var id: TaskItem.ID { task.id }

    init(_ task: TaskItem) { self.task = task }

    mutating func apply(_ action: SelectionAction) {
        switch action {
        case .title(_, let name): task.name = name
        case .notes(_, let notes): task.notes = notes.isEmpty ? nil : notes
        case .toggle: task.toggle()
        case .chooseDate: isChoosingDate = true
        case .keepDate: isChoosingDate = false
        case .date(_, let date): (task.dueDate, isChoosingDate) = (date, false)
        case .removeDate: (task.dueDate, isChoosingDate) = (nil, false)
        case .discard: self = Selection(TaskItem(id: id))
        case .save(_, let name, let notes):
            (task.name, task.notes) = (name, notes.isEmpty ? nil : notes)
        }
    }
}
