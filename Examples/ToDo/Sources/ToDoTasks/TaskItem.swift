// SPDX-License-Identifier: MIT

/// A task of the list.
///
/// (The name `Task` is taken by Swift itself.)
public struct TaskItem: Codable, Equatable, Identifiable, Sendable {
    /// Whether it is done; a number that the server knows and we don't means unknown.
    public enum State: Int, Codable, Sendable { case unknown = -1, toDo, done }

    /// Its name, which its author chose.
    public let id: String
    /// The title.
    public var name: String
    /// The day by which it is to be done.
    public var dueDate: CalendarDate?
    /// What else there is to say.
    public var notes: String?
    /// Whether it is done.
    public var state: State

    /// Creates a task.
    public init(
        id: String, name: String = "", dueDate: CalendarDate? = nil, notes: String? = nil,
        state: State = .toDo
    ) {
        (self.id, self.name, self.dueDate, self.notes) = (id, name, dueDate, notes)
        self.state = state
    }

    /// Does what the check button says.
    public mutating func toggle() { state = state == .done ? .toDo : .done }
}
