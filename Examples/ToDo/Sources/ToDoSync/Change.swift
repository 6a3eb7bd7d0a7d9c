// SPDX-License-Identifier: MIT

public import ToDoTasks

/// A change of a task that the server doesn't know yet.
public struct Change: Codable, Equatable, Sendable {
    /// What is done to the task.
    public enum Kind: String, Codable, Sendable { case create, update, delete }

    /// Distinguishes changes; later ones have larger numbers.
    public let number: Int
    /// What is done to the task.
    public internal(set) var kind: Kind
    /// The task as it shall be.
    public let task: TaskItem
    /// Whether the list is asked for afterwards.
    public let isFollowedByList: Bool
}

extension Change.Kind {
    /// What this and then another change of the same task come to; nil for nothing.
    func followed(by next: Self) -> Self? {
        switch (self, next) {
        case (.create, .delete): nil
        case (.create, _): .create
        case (.delete, .create): .update
        default: next
        }
    }
}
