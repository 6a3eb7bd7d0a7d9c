// SPDX-License-Identifier: MIT

public import Onward

/// What people do to a list that they share.
///
/// Each says only what somebody meant, so that two people who change different things of one task
/// both get their way.
public enum TaskAction: Action, Codable, Equatable {
    /// Adds a task.
    case add(name: String)
    /// Gives a task another title.
    case rename(id: TaskItem.ID, name: String)
    /// Says whether a task is done.
    case mark(id: TaskItem.ID, isDone: Bool)
    /// Deletes a task; one that is gone stays gone.
    case delete(id: TaskItem.ID)

    /// The title that it gives; nil if none.
    public var name: String? {
        switch self {
        case .add(let name), .rename(_, let name): name
        case .mark, .delete: nil
        }
    }

    /// The task that it changes; nil if it adds one.
    public var id: TaskItem.ID? {
        switch self {
        case .add: nil
        case .rename(let id, _), .mark(let id, _), .delete(let id): id
        }
    }
}
