// SPDX-License-Identifier: MIT

public import Onward

// What holds for the tasks of a list wherever it is kept: behind REST, or as one store on many machines.

extension TaskItem {
    /// How many characters a title may have.
    public static let longestName = 200

    /// Whether the title says something.
    public var isNamed: Bool { !name.allSatisfy(\.isWhitespace) }
}

extension EntityTable<TaskItem> {
    /// How many tasks people may share.
    public static var sharedLimit: Int { 10_000 }

    /// Adds a task before all others; one that is there already is replaced.
    public mutating func add(_ task: TaskItem) {
        if self[id: task.id] == nil { insert(task, at: 0) } else { replace(task) }
    }

    /// Puts a task in the place of the one with its id; does nothing if that is gone.
    public mutating func replace(_ task: TaskItem) { update(id: task.id) { $0 = task } }

    /// Finds out whether something can be done.
    ///
    /// - Throws: Why not.
    public func check(_ action: TaskAction) throws(TaskRefusal) {
        if let name = action.name {
            guard TaskItem(id: "", name: name).isNamed else { throw .nameless }
            guard name.count <= TaskItem.longestName else { throw .tooLong }
        }
        switch action {
        case .add: guard count < Self.sharedLimit else { throw .full }
        case .rename(let id, _), .mark(let id, _): guard self[id: id] != nil else { throw .unknown }
        case .delete: break
        }
    }

    /// Does something that was checked; a task that is added gets an id that `id` draws.
    public mutating func apply(_ action: TaskAction, id: () -> TaskItem.ID) {
        switch action {
        case .add(let name): add(TaskItem(id: id(), name: name))
        case .rename(let id, let name): update(id: id) { $0.name = name }
        case .mark(let id, let isDone): update(id: id) { $0.state = isDone ? .done : .toDo }
        case .delete(let id): remove(id: id)
        }
    }
}
