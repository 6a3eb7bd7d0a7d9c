// SPDX-License-Identifier: MIT

public import Onward
public import OnwardQueries
public import ToDoTasks

/// The tasks that a server keeps.
public struct TaskTable: Codable, Equatable, SavableBase {
    /// The changes that may be pending.
    public static let mutations: [any Mutation<TaskTable>.Type] = [Change.self]

    /// The tasks, in the server's order.
    public var tasks: EntityTable<TaskItem> = []

    /// No tasks.
    public init() {}

    /// The server has these; of two with one id the first counts.
    mutating func load(_ new: [TaskItem]) {
        let new = EntityTable(new, uniquing: { first, _ in first })
        // Equal rows are shared with the old values, which an undo may put back.
        tasks = tasks.applying(new.changes(since: tasks), from: new)
    }
}

/// The question for all tasks.
public struct AllTasks: OnwardQueries.Query {
    /// The name of the query's actions in logs.
    public static let name = "tasks"
    /// All tasks, in the server's order.
    public typealias Answer = [TaskItem]
    /// Why there is no answer.
    public typealias Failure = Problem

    /// Creates the question.
    public init() {}
}

extension EntityTable<TaskItem> {
    /// Whether there are other tasks than before, in whatever order.
    public func differs(from older: Self) -> Bool {
        let changes = changes(since: older)
        return !(changes.inserted + changes.removed + changes.updated).isEmpty
    }
}
