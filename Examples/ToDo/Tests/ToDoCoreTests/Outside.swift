// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardNavigation
import OnwardTesting
import Synchronization
import ToDoCore
import ToDoSync
import ToDoTasks

/// A server that answers when a test says so, or when it is cancelled.
final class Outside: TaskServer {
    /// What the server is asked for, waiting for its answer.
    struct Request: Sendable {
        /// The change; nil when the list is wanted.
        let change: Change?
        fileprivate let answer: AsyncStream<Result<[TaskItem], Problem>>.Continuation

        /// The server did it; for the list: there are these tasks.
        func succeed(_ tasks: [TaskItem] = []) { answer.yield(.success(tasks)) }
        func fail(_ problem: Problem) { answer.yield(.failure(problem)) }
    }

    let clock = ManualClock()
    private let requests: AsyncStream<Request>
    private let request: AsyncStream<Request>.Continuation
    private let failures = Mutex<[String]>([])

    init() { (requests, request) = AsyncStream.makeStream(of: Request.self) }

    var errors: [String] { failures.withLock { $0 } }

    func tasks() async throws -> [TaskItem] { try await ask(nil) }

    func perform(_ change: Change) async throws { _ = try await ask(change) }

    private func ask(_ change: Change?) async throws -> [TaskItem] {
        let (answers, answer) = AsyncStream.makeStream(of: Result<[TaskItem], Problem>.self)
        request.yield(Request(change: change, answer: answer))
        for await answer in answers { return try answer.get() }
        throw CancellationError()
    }

    /// The next request.
    func next() async -> Request? {
        for await request in requests { return request }
        return nil
    }

    func store(
        unsent: [Change] = [], keeping saved: SavedValue<[Change]>? = nil
    ) -> Store<ToDo> {
        let options = StoreOptions(
            clock: clock,
            effectError: { [self] failure in
                failures.withLock { $0.append("\(failure.error)") }
            },
            ids: IDSource(seed: 7))
        return Store(ToDo(unsent: unsent), options: options) { toDo(on: self, keeping: saved) }
    }

    /// A store whose list has come, and that has an id for the next task.
    func loaded(_ tasks: [TaskItem] = .few) async throws -> Store<ToDo> {
        let store = store()
        await next()?.succeed(tasks)
        _ = try await store.wait { $0.list.isLoaded && $0.adding != nil }
        return store
    }
}

extension [TaskItem] {
    static let few = [
        TaskItem(id: "a", name: "Buy milk"),
        TaskItem(id: "b", name: "Call Anna", notes: "About Friday", state: .done),
        TaskItem(id: "c", name: "Pay rent", dueDate: CalendarDate(year: 2026, month: 12, day: 1)),
    ]
}

extension Store<ToDo> {
    var names: [String] { state.list.tasks.map(\.name) }

    func save(_ id: String, _ name: String, notes: String = "") {
        dispatch(SelectionAction.save(id: id, name: name, notes: notes))
    }

    /// The two buttons.
    func undo() { if let undo = state.steps.undo { dispatch(undo) } }
    func redo() { if let redo = state.steps.redo { dispatch(redo) } }

    /// Opens a browser tab.
    func open(_ tab: String, at screen: Screen...) {
        let stack = RouteStack(.list(Query()), pushed: screen)
        scoped(to: \.routing).dispatch(TabAction.open(tab, at: stack))
    }

    /// Leads a tab on.
    func go(_ tab: String, _ action: NavigationAction<Screen>) {
        scoped(to: \.routing).dispatch(action, to: RouteTabs<Screen>.address(ofTab: tab))
    }
}
