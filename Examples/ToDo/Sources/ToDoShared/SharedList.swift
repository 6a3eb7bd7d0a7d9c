// SPDX-License-Identifier: MIT

public import Onward
public import OnwardSync
public import ToDoTasks

/// A list as one store: on a server, in its page, in terminals and in apps.
public struct SharedList: Codable, Equatable, Sendable {
    /// The tasks, the newest first.
    public internal(set) var tasks: EntityTable<TaskItem> = []

    /// No tasks.
    public init() {}

    /// The ids of the tasks; equal until some come, go or move.
    public var ids: [TaskItem.ID] { Array(tasks.ids) }
}

/// The rules, the same on the server and on its clients.
public let sharedList = Feature<SharedList> {
    Check { (list: SharedList, action: TaskAction) throws(TaskRefusal) in
        try list.tasks.check(action)
    }
    Reduce { (list: inout SharedList, action: TaskAction, stamp) in
        // Drawn from a seed that a client proposes along, so that the task has the same id everywhere.
        list.tasks.apply(action) { "\(stamp.id())" }
    }
}

extension SyncOptions<SharedList> {
    /// What server and clients have in common: of several titles that a task was given offline, the last goes up.
    public static var sharedList: Self {
        var options = Self()
        options.compact(TaskAction.self) { action, earlier in
            guard case .rename(let id, _) = action, case .rename(id, _) = earlier else {
                return false
            }
            return true
        }
        return options
    }
}
