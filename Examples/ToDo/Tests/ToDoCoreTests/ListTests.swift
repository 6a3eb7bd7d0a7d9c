// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation
import OnwardTesting
import Testing
import ToDoSync
import ToDoTasks

@testable import ToDoCore

@Suite struct ListTests {
    private let outside = Outside()

    @Test func `the list is asked for at the beginning, and shown when it comes`() async throws {
        let store = outside.store()
        let request = try #require(await outside.next())
        #expect(request.change == nil)
        #expect(store.state.list.isLoading)
        #expect(store.state.list.tasks.isEmpty)
        request.succeed(.few)
        let state = try await store.wait { $0.list.isLoaded }
        #expect(Array(state.list.tasks) == .few)
        #expect(state.alert == nil)
    }

    @Test(arguments: [
        (Problem.unreachable, "The server can't be reached."),
        (.timedOut, "The server took too long to answer."),
        (.unreadable, "The server's answer makes no sense."),
        (.refused(status: 503, reason: nil), "The server refused it (503)."),
        (.refused(status: 500, reason: "Later."), "The server refused it (500). Later."),
    ])
    func `a list that doesn't come is an alert with its reason, and can be asked for again`(
        problem: Problem, reason: String
    ) async throws {
        let store = outside.store()
        try #require(await outside.next()).fail(problem)
        let state = try await store.wait { $0.list.problem == problem }
        #expect(state.alert?.title == "The tasks couldn't be loaded.")
        #expect(state.alert?.message == reason)
        #expect(state.alert?.buttons.map(\.label) == ["Accept"])
        store.dispatch(ListAction.accept)
        #expect(store.state.alert == nil)
        store.dispatch(ListAction.get)
        try #require(await outside.next()).succeed(.few)
        _ = try await store.wait { $0.list.isLoaded }
        #expect(outside.errors == [])
    }

    @Test func `a server has thirty seconds`() async throws {
        let store = outside.store()
        _ = try #require(await outside.next())
        await outside.clock.sleepers(1)
        outside.clock.advance(by: .seconds(29))
        #expect(store.state.list.isLoading)
        outside.clock.advance(by: .seconds(1))
        _ = try await store.wait { $0.list.problem == .timedOut }
        #expect(store.state.list.tasks.isEmpty)
    }

    @Test func `of two tasks with one id the first is shown`() async throws {
        let store = try await outside.loaded([
            TaskItem(id: "a", name: "One"), TaskItem(id: "a", name: "Two"),
        ])
        #expect(store.names == ["One"])
    }

    @Test func `a tap on the check button shows at once, and asks the server for it`() async throws
    {
        let store = try await outside.loaded()
        store.dispatch(ListAction.toggle(id: "a"))
        #expect(store.state.list.tasks[id: "a"]?.state == .done)
        let request = try #require(await outside.next())
        #expect(request.change?.kind == .update)
        #expect(request.change?.task == TaskItem(id: "a", name: "Buy milk", state: .done))
        request.succeed()
        _ = try await store.wait { $0.list.changes.isEmpty }
        #expect(store.state.list.isLoaded, "a tap doesn't load the list again")
    }

    @Test(arguments: [
        (TaskItem.State.toDo, TaskItem.State.done), (.done, .toDo), (.unknown, .done),
    ])
    func `a tap makes done what isn't, and to do what is`(
        before: TaskItem.State, after: TaskItem.State
    ) async throws {
        let store = try await outside.loaded([TaskItem(id: "a", name: "A", state: before)])
        store.dispatch(ListAction.toggle(id: "a"))
        #expect(store.state.list.tasks[id: "a"]?.state == after)
        try #require(await outside.next()).succeed()
        await store.shutdown()
    }

    @Test func `deleting shows at once, and then what the server knows`() async throws {
        let store = try await outside.loaded()
        store.dispatch(ListAction.delete(id: "b"))
        #expect(store.names == ["Buy milk", "Pay rent"])
        let request = try #require(await outside.next())
        #expect(request.change?.kind == .delete)
        request.succeed()
        let list = try #require(await outside.next())
        #expect(list.change == nil)
        list.succeed([TaskItem(id: "z", name: "From elsewhere")])
        _ = try await store.wait { $0.list.isLoaded }
        #expect(store.names == ["From elsewhere"])
    }

    @Test func `what the server refuses is rolled back, in its place, with an alert`() async throws
    {
        let store = try await outside.loaded()
        store.dispatch(ListAction.delete(id: "b"))
        try #require(await outside.next()).fail(.refused(status: 500, reason: "No."))
        _ = try await store.wait { $0.alert != nil }
        #expect(Array(store.state.list.tasks) == .few)
        #expect(store.state.alert?.title == "“Call Anna” couldn't be deleted.")
        #expect(store.state.alert?.message == "The server refused it (500). No.")
        try #require(await outside.next()).succeed(.few)
        _ = try await store.wait { $0.list.isLoaded }
    }

    @Test func `rolling back one change keeps the others`() async throws {
        let store = try await outside.loaded()
        store.dispatch(ListAction.toggle(id: "a"))
        store.dispatch(ListAction.delete(id: "b"))
        store.dispatch(ListAction.toggle(id: "c"))
        try #require(await outside.next()).fail(.refused(status: 409, reason: nil))
        let delete = try #require(await outside.next())
        #expect(delete.change?.kind == .delete)
        #expect(store.state.list.tasks.map(\.id) == ["a", "c"])
        #expect(store.state.list.tasks.map(\.state) == [.toDo, .done])
        delete.succeed()
        await store.shutdown()
    }

    @Test func `an action for a task that isn't there is refused with an alert`() async throws {
        let store = try await outside.loaded()
        let actions: [any Action] = [
            ListAction.toggle(id: "x"), ListAction.delete(id: "x"),
            SelectionAction.title(id: "x", name: "X"), SelectionAction.toggle(id: ""),
            SelectionAction.save(id: "x", name: "X", notes: ""),
            SelectionAction.chooseDate(id: "x"), SelectionAction.discard(id: "x"),
        ]
        for action in actions {
            store.dispatch(ListAction.accept)
            store.dispatch(action)
            #expect(store.state.alert?.title == "There is no such task.", "\(action)")
        }
        #expect(Array(store.state.list.tasks) == .few)
        #expect(store.state.list.changes.isEmpty && store.state.editing.isEmpty)
    }

    @Test func `one changed task is one changed row`() async throws {
        let many = (0..<10_000).map { TaskItem(id: "\($0)", name: "Task \($0)") }
        let store = try await outside.loaded(many)
        let notified = Recorder<TaskItem?>()
        let tokens = many.map { task in
            store.subscribe(.row(\.list.tasks, id: task.id)) { notified.record($0, $1) }
        }
        store.dispatch(ListAction.toggle(id: "5000"))
        #expect(notified.values.map { $0?.id } == ["5000"])
        try #require(await outside.next()).succeed()
        _ = try await store.wait { $0.list.changes.isEmpty }
        #expect(notified.values.count == 1)
        for token in tokens { token.cancel() }
    }

    @Test(arguments: [
        (Screen.list(Query()), "/"), (.new, "/new"), (.task("a"), "/task/a"),
        (
            .list(Query(search: "a b&c", show: .toDo, rows: 400)),
            "/?search=a%20b%26c&show=to-do&rows=400"
        ),
        (.task("ü/.."), "/task/%C3%BC%2F.."),
    ])
    func `every screen has its URL`(screen: Screen, url: String) {
        #expect(Screen.codec.text(of: screen) == url)
        #expect(Screen.codec.route(at: url) == screen)
    }

    @Test(arguments: ["/tasks", "/task", "/task/a/b", "/new/1", "//"])
    func `an unknown URL is a screen of its own`(url: String) {
        #expect(Screen.codec.route(at: url) == .notFound)
    }

    @Test(arguments: ["/?rows=0", "/?rows=-7", "/?rows=x", "/?show=nothing", "/?search="])
    func `a query that makes no sense is another one that does`(url: String) throws {
        guard case .list(let query) = Screen.codec.route(at: url) else {
            Issue.record("\(url) is no list")
            return
        }
        #expect(query.rows >= 1 && query.show == .all && query.search == "")
    }
}
