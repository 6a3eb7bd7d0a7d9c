// SPDX-License-Identifier: MIT

public import Onward

/// The whole state of the app.
public struct ToDo: Sendable {
    /// How far the list is.
    public enum Phase: Equatable, Sendable { case idle, loading, loaded, failed(Problem) }

    /// Where each tab is.
    public var routing = RouteTabs<Screen>()
    /// How far the list is.
    public internal(set) var phase = Phase.idle
    /// The tasks as they are shown: what the server knows, and upon it what it is to learn.
    public internal(set) var tasks: EntityTable<TaskItem> = []
    /// What the server is to learn.
    public internal(set) var outbox = Outbox()
    /// The task that is being added; nil until it has an id.
    public internal(set) var adding: Selection?
    /// The tasks that are being edited, each on a screen of its own.
    public internal(set) var editing: EntityTable<Selection> = []
    /// What the user is told, until it is accepted.
    public internal(set) var alert: Alert?
    /// The tasks as the server knows them.
    private(set) var known: EntityTable<TaskItem> = []

    /// Nothing yet.
    public init() {}

    /// What somebody who looks closely at a task sees; nil if there is no such task.
    public func selection(of id: TaskItem.ID) -> Selection? {
        adding?.id == id ? adding : editing[id: id] ?? tasks[id: id].map(Selection.init)
    }

    /// What the server is asked for, one thing at a time.
    enum Request: Equatable { case list, change(Change) }

    var request: Request? {
        outbox.current.map(Request.change) ?? (phase == .loading ? .list : nil)
    }
    var isIdle: Bool { phase == .idle }
    var isIDNeeded: Bool { adding == nil }

    /// The tasks that are being edited on screens that all tabs have left.
    ///
    /// Without script no tab is known, and nobody is said to leave.
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
        case .get: (phase, outbox.isResting) = (.loading, false)
        case .add: adding = adding.map { Selection(TaskItem(id: $0.id)) }
        case .toggle(let id):
            guard var task = tasks[id: id] else { return alert = .unknownTask }
            task.toggle()
            change(.update, task, isFollowedByList: false)
        case .delete(let id):
            guard let task = tasks[id: id] else { return alert = .unknownTask }
            change(.delete, task)
            editing.remove(id: id)
        case .sendAgain: outbox.isResting = false
        case .accept: alert = nil
        }
    }

    mutating func apply(_ action: SelectionAction) {
        guard var selection = selection(of: action.id) else { return alert = .unknownTask }
        let isAdded = adding?.id == action.id
        selection.apply(action)
        if case .save = action {
            guard selection.isNamed else { return alert = .nameless }
            change(isAdded ? .create : .update, selection.task)
        }
        switch (action, isAdded) {
        case (.save, true): adding = nil
        case (.save, false), (.discard, false): editing.remove(id: action.id)
        case (_, true): adding = selection
        case (_, false): editing[id: action.id] = selection
        }
    }

    package mutating func apply(_ event: ServerEvent) {
        switch event {
        case .loaded(let tasks):
            guard phase == .loading else { return }
            known = EntityTable(tasks, uniquing: { first, _ in first })
            phase = .loaded
            show()
        case .loadingFailed(let problem):
            guard phase == .loading else { return }
            (phase, alert) = (.failed(problem), .gettingFailed(problem))
        case .sent(let number):
            guard let change = outbox.finish(number) else { return }
            known.apply(change)
            if change.isFollowedByList { phase = .loading }
        case .sendingFailed(let number, let problem):
            guard let change = outbox.current, change.number == number else { return }
            alert = .failed(change.kind, of: change.task.name, problem)
            if problem.isRefusal {
                outbox.drop(change)
                phase = .loading
                show()
            } else {
                outbox.isResting = true
                if phase == .loading { phase = .failed(problem) }
            }
        case .prepared(let id): adding = adding ?? Selection(TaskItem(id: id))
        case .left(let ids): for id in ids { editing.remove(id: id) }
        }
    }

    /// Changes a task at once, and lets the server know.
    private mutating func change(
        _ kind: Change.Kind, _ task: TaskItem, isFollowedByList: Bool = true
    ) {
        tasks.apply(outbox.append(kind, task, isFollowedByList: isFollowedByList))
    }

    /// Shows what the server knows, and upon it what it is to learn.
    private mutating func show() {
        tasks = known
        for change in outbox.changes { tasks.apply(change) }
    }
}

extension EntityTable<TaskItem> {
    mutating func apply(_ change: Change) {
        switch change.kind {
        case .create where self[id: change.task.id] == nil: insert(change.task, at: 0)
        case .create, .update: update(id: change.task.id) { $0 = change.task }
        case .delete: remove(id: change.task.id)
        }
    }
}
