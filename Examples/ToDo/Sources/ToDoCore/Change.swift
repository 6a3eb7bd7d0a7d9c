// SPDX-License-Identifier: MIT

/// A change of a task that the server doesn't know yet.
public struct Change: Codable, Equatable, Sendable {
    /// What is done to the task.
    public enum Kind: String, Codable, Sendable { case create, update, delete }

    /// Tells changes apart; later ones have larger numbers.
    public let number: Int
    /// What is done to the task.
    public let kind: Kind
    /// The task as it shall be.
    public let task: TaskItem
    /// Whether the list is asked for afterwards.
    let isFollowedByList: Bool
}
