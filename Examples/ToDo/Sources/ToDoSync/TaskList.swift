// SPDX-License-Identifier: MIT

public import Onward
public import OnwardQueries
public import ToDoTasks

/// A server's list as a user sees it: what the server has, with the changes it is to learn.
public struct TaskList: Codable, Equatable, Sendable {
    /// The tasks on the server, under the changes that are pending.
    public package(set) var server: Overlaid<TaskTable>
    /// What the server is asked for.
    public package(set) var answers = QueryCache<AllTasks>()
    /// Whether the tasks are still to come.
    public private(set) var isLoading = true
    /// Why the tasks didn't come.
    public private(set) var problem: Problem?

    /// No tasks yet.
    ///
    /// - Parameter unsent: What an earlier launch couldn't send.
    public init(unsent: [Change] = []) { server = Overlaid(TaskTable(), pending: unsent) }

    /// The tasks as they are shown.
    public var tasks: EntityTable<TaskItem> { server.shown.tasks }
    /// Whether the tasks are those that the server answered with last.
    public var isLoaded: Bool { !isLoading && problem == nil }
    /// What the server is to learn, in the order in which it was done.
    public var changes: [Change] { server.pending.compactMap { $0.mutation as? Change } }
    /// Whether nothing is sent, since the server couldn't be reached.
    public var isResting: Bool { server.isPaused }
    /// What the server is asked for; changes are sent before the list is requested.
    public var questions: [AllTasks] {
        isLoading && (isResting || server.pending.isEmpty) ? [AllTasks()] : []
    }

    /// Asks for the tasks, once everything is sent.
    public mutating func get() {
        ask()
        server.resume()
    }

    private mutating func ask() { (isLoading, problem) = (true, nil) }

    /// The tasks as the user wants them; setting them changes each task that differs.
    ///
    /// So an old value can be put back, and the server learns of it.
    public var wanted: EntityTable<TaskItem> {
        get { tasks }
        set {
            let (old, difference) = (tasks, newValue.changes(since: tasks))
            for id in difference.removed {
                old[id: id].map { server.enqueue(Change(.delete, $0)) }
            }
            for id in difference.inserted {
                newValue[id: id].map { server.enqueue(Change(.create, $0)) }
            }
            for id in difference.updated {
                newValue[id: id].map {
                    server.enqueue(Change(.update, $0, isFollowedByList: false))
                }
            }
        }
    }

    /// The server has these tasks.
    public mutating func load(_ tasks: [TaskItem]) {
        server.write { $0.load(tasks) }
        (isLoading, problem) = (false, nil)
    }

    /// Takes what became of a question, before ``answers`` does.
    ///
    /// - Returns: Why the tasks don't come; nil for anything else.
    public mutating func take(_ action: QueryAction<AllTasks>) -> Problem? {
        guard case .failed(_, let request, let problem, _) = action,
            answers.requests[id: request] != nil
        else { return nil }
        fail(problem)
        return problem
    }

    /// Takes what became of a change, before ``server`` does.
    ///
    /// A refused change is taken back, and so is what was to follow its creation.
    ///
    /// - Returns: A change that the server didn't do, and why; nil for anything else.
    public mutating func take(_ action: MutationAction<Change>) -> (Change, Problem)? {
        switch action {
        case .confirmed(let id, let change, _):
            if server.pending[id: id] != nil, change.isFollowedByList { ask() }
        case .paused(let id, let problem):
            guard let change = change(id), server.pending[id: id]?.phase == .sending else {
                return nil
            }
            if isLoading { fail(problem) }
            return (change, problem)
        case .refused(let id, let problem):
            guard let change = change(id) else { return nil }
            refuse(id, change)
            return (change, problem)
        case .started, .sent, .resume, .blocked, .resend, .drop: break
        }
        return nil
    }

    /// The server can't be reached, or refuses to say.
    mutating func fail(_ problem: Problem) { (isLoading, self.problem) = (false, problem) }

    mutating func refuse(_ id: Int, _ change: Change) {
        let next = server.pending.first { row in
            row.id > id && (row.mutation as? Change)?.task.id == change.task.id
        }
        server.drop(id)
        if change.kind == .create, let next { server.drop(next.id) }
        ask()
    }

    private func change(_ id: Int) -> Change? { server.pending[id: id]?.mutation as? Change }
}
