// SPDX-License-Identifier: MIT

public import Onward
public import ToDoTasks

/// A server's list as a user sees it: what the server knows, with the changes it is to learn.
///
/// A value that is notified of what happens and says what the server is to be asked for next.
public struct TaskList: Codable, Equatable, Sendable {
    /// What the server is asked for, one thing at a time.
    public enum Request: Equatable, Sendable { case tasks, change(Change) }

    /// The tasks as they are shown.
    public package(set) var tasks: EntityTable<TaskItem> = []
    /// What the server is to learn.
    public package(set) var outbox: Outbox
    /// The tasks as the server knows them, and how far they are.
    public package(set) var known = Loadable<EntityTable<TaskItem>, Problem>.idle

    /// No task yet.
    ///
    /// - Parameter unsent: What an earlier launch couldn't send.
    public init(unsent: [Change] = []) {
        outbox = Outbox(unsent)
        show()
    }

    /// What the server is asked for now; a change comes before the list.
    public var request: Request? {
        outbox.current.map(Request.change) ?? (known.isLoading ? .tasks : nil)
    }

    // MARK: What a user does

    /// Asks for the tasks, once everything is sent.
    public mutating func get() {
        known.load()
        sendAgain()
    }

    /// Sends what couldn't be sent.
    public mutating func sendAgain() { outbox.isResting = false }

    /// Changes a task at once, and lets the server know.
    ///
    /// - Parameters:
    ///   - kind: What is done.
    ///   - task: The task as it shall be.
    ///   - isFollowedByList: Whether the tasks are asked for afterwards.
    public mutating func change(
        _ kind: Change.Kind, _ task: TaskItem, isFollowedByList: Bool = true
    ) {
        outbox.append(kind, task, isFollowedByList: isFollowedByList)
        tasks.apply(kind, task)
    }

    /// The tasks as the user wants them; setting them changes each task that differs.
    ///
    /// So an old value can be put back, and the server learns of it.
    public var wanted: EntityTable<TaskItem> {
        get { tasks }
        set {
            let difference = newValue.changes(since: tasks)
            for id in difference.removed { tasks[id: id].map { change(.delete, $0) } }
            for id in difference.inserted { newValue[id: id].map { change(.create, $0) } }
            for id in difference.updated {
                newValue[id: id].map { change(.update, $0, isFollowedByList: false) }
            }
            show()
        }
    }

    // MARK: What the server answers

    /// It has these tasks; of two with one id the first counts.
    public mutating func load(_ tasks: [TaskItem]) {
        guard known.isLoading else { return }
        let new = EntityTable(tasks, uniquing: { first, _ in first })
        // Equal rows are shared with the old values, which an undo may put back.
        let old = known.value ?? []
        let all = old.applying(new.changes(since: old), from: new)
        outbox.know(all)
        known = .loaded(all)
        show()
    }

    /// It doesn't notify the tasks; false if they were not asked for.
    public mutating func failLoading(_ problem: Problem) -> Bool {
        guard known.isLoading else { return false }
        known.fail(problem)
        return true
    }

    /// It did the change of this number.
    public mutating func finish(_ number: Int) {
        guard let change = outbox.finish(number) else { return }
        if change.isFollowedByList || known.isIdle { known.load() }
        known.value = known.value ?? []
        known.value?.apply(change.kind, change.task)
    }

    /// It didn't do the change of this number: a refused one is taken back, another one waits.
    ///
    /// - Returns: The change; nil if it isn't under way.
    public mutating func fail(_ number: Int, _ problem: Problem) -> Change? {
        guard let change = outbox.current, change.number == number else { return nil }
        if problem.isRefusal {
            outbox.drop(change)
            known.load()
            show()
        } else {
            outbox.isResting = true
            if known.isLoading { known.fail(problem) }
        }
        return change
    }

    /// Shows what the server knows, with the changes it is to learn.
    private mutating func show() {
        tasks = known.value ?? []
        for change in outbox.changes { tasks.apply(change.kind, change.task) }
    }
}

extension EntityTable<TaskItem> {
    /// Does a change of one task.
    package mutating func apply(_ kind: Change.Kind, _ task: TaskItem) {
        switch kind {
        case .create where self[id: task.id] == nil: insert(task, at: 0)
        case .create, .update: update(id: task.id) { $0 = task }
        case .delete: remove(id: task.id)
        }
    }

    /// Whether there are other tasks than before, in whatever order.
    public func differs(from older: Self) -> Bool {
        let changes = changes(since: older)
        return !(changes.inserted + changes.removed + changes.updated).isEmpty
    }
}
