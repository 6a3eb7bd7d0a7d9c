// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal
public import OnwardNavigation
import OnwardQueries
public import ToDoSync
public import ToDoTasks

/// The whole state of the app.
public struct ToDo: Codable, Sendable {
    /// Where each tab is.
    public var routing = RouteTabs<Screen>()
    /// The tasks, and what the server is to learn of them.
    public internal(set) var list: TaskList
    /// What was done to the list and can be taken back.
    public internal(set) var steps = UndoStack<EntityTable<TaskItem>>()
    /// The task that is being added; nil until it has an id.
    public internal(set) var adding: Selection?
    /// The tasks that are being edited, each on a screen of its own.
    public internal(set) var editing: EntityTable<Selection> = []
    /// What the user is shown, until it is accepted.
    public internal(set) var alert: Alert?

    /// Nothing yet, but what an earlier launch couldn't send.
    public init(unsent: [Change] = []) { list = TaskList(unsent: unsent) }

    /// What the screen of a task shows; nil if there is no such task.
    public func selection(of id: TaskItem.ID) -> Selection? {
        adding?.id == id ? adding : editing[id: id] ?? list.tasks[id: id].map(Selection.init)
    }

    var isIDNeeded: Bool { adding == nil }

    /// The tasks that are being edited on screens that all tabs have left.
    ///
    /// Without script no tab is known, and none is known to leave.
    var abandoned: [TaskItem.ID]? {
        guard !editing.isEmpty, !routing.open.isEmpty else { return nil }
        let shown = Set(routing.open.flatMap { $0.routes.levels.map(\.route) })
        let left = editing.map(\.id).filter { !shown.contains(.task($0)) }
        return left.isEmpty ? nil : left
    }
}

extension ToDo {
    package mutating func apply(_ action: ListAction) {
        switch action {
        case .get: list.get()
        case .sendAgain: list.server.resume()
        case .add: adding = adding.map { Selection(TaskItem(id: $0.id)) }
        case .accept: break  // The alert goes with the action of its button.
        case .toggle(let id):
            guard var task = list.tasks[id: id] else { return alert = .unknownTask }
            task.toggle()
            list.server.enqueue(Change(.update, task, isFollowedByList: false))
        case .delete(let id):
            guard let task = list.tasks[id: id] else { return alert = .unknownTask }
            list.server.enqueue(Change(.delete, task))
            editing.remove(id: id)
        }
    }

    mutating func apply(_ action: SelectionAction) {
        guard var selection = selection(of: action.id) else { return alert = .unknownTask }
        let isAdded = adding?.id == action.id
        selection.apply(action)
        if case .save = action {
            guard selection.task.isNamed else { return alert = .nameless }
            list.server.enqueue(Change(isAdded ? .create : .update, selection.task))
        }
        switch (action, isAdded) {
        case (.save, true): adding = nil
        case (.save, false), (.discard, false): editing.remove(id: action.id)
        case (_, true): adding = selection
        case (_, false): editing[id: action.id] = selection
        }
    }

    mutating func apply(_ event: AppEvent) {
        switch event {
        case .prepared(let id): adding = adding ?? Selection(TaskItem(id: id))
        case .left(let ids): for id in ids { editing.remove(id: id) }
        }
    }

    /// The server's list came.
    package mutating func load(_ tasks: [TaskItem]) {
        let shown = list.tasks
        list.load(tasks)
        forgetSteps(ifOtherThan: shown)
    }

    mutating func answered(_ action: QueryAction<AllTasks>) {
        if let problem = list.take(action) { alert = .gettingFailed(problem) }
    }

    mutating func sent(_ action: MutationAction<Change>) {
        let shown = list.tasks
        guard let (change, problem) = list.take(action) else { return }
        alert = .failed(change.kind, of: change.task.name, problem)
        forgetSteps(ifOtherThan: shown)
    }

    /// To put back an older list would undo what others have done.
    private mutating func forgetSteps(ifOtherThan shown: EntityTable<TaskItem>) {
        if list.tasks.differs(from: shown) { steps.removeAll() }
    }
}
