// SPDX-License-Identifier: MIT

import Onward
public import OnwardQueries
public import ToDoTasks

/// A change of one task, which shows at once and is then sent to the server.
public struct Change: Mutation {
    /// What is done to the task.
    public enum Kind: String, Codable, Sendable { case create, update, delete }

    /// The name of the action in logs.
    public static let name = "change"
    /// Why the server doesn't do it.
    public typealias Failure = Problem

    /// What is done to the task.
    public let kind: Kind
    /// The task as it shall be.
    public let task: TaskItem
    /// Whether the list is asked for afterwards.
    public let isFollowedByList: Bool

    /// Creates a change.
    public init(_ kind: Kind, _ task: TaskItem, isFollowedByList: Bool = true) {
        (self.kind, self.task, self.isFollowedByList) = (kind, task, isFollowedByList)
    }

    /// Does it; a task that is added comes first.
    public func apply(to table: inout TaskTable) {
        switch kind {
        case .create: table.tasks.add(task)
        case .update: table.tasks.replace(task)
        case .delete: table.tasks.remove(id: task.id)
        }
    }

    /// Of the changes of a task that wait, the last is sent.
    public func merged(with next: Change) -> MutationMerge<Change> {
        guard task.id == next.task.id else { return .both }
        let isFollowed = isFollowedByList || next.isFollowedByList
        return switch (kind, next.kind) {
        case (.create, .delete): .neither
        case (.create, _): .one(Change(.create, next.task, isFollowedByList: isFollowed))
        case (.delete, .create): .one(Change(.update, next.task, isFollowedByList: isFollowed))
        default: .one(Change(next.kind, next.task, isFollowedByList: isFollowed))
        }
    }

    /// What is to be created, and is on the server by now, is changed there.
    public func revised(over table: TaskTable) -> Change {
        guard kind == .create, table.tasks[id: task.id] != nil else { return self }
        return Change(.update, task, isFollowedByList: isFollowedByList)
    }
}
