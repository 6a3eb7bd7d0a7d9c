// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import Onward
import OnwardJournal
import OnwardNavigation
import OnwardServer
import Synchronization
import Testing
import ToDoCore
import ToDoSync
import ToDoTasks

@testable import ToDoPage

/// A list in memory.
final class Memory: TaskServer {
    private let kept: Mutex<[TaskItem]>

    init(_ tasks: [TaskItem]) { kept = Mutex(tasks) }

    func tasks() async throws -> [TaskItem] { kept.withLock { $0 } }

    func perform(_ change: Change) async throws {
        kept.withLock { tasks in
            tasks.removeAll { $0.id == change.task.id }
            if change.kind != .delete { tasks.append(change.task) }
        }
    }
}

/// A server that can't be reached.
private struct Unreachable: TaskServer {
    func tasks() async throws -> [TaskItem] { throw Problem.unreachable }
    func perform(_ change: Change) async throws { throw Problem.unreachable }
}

@Suite struct PageTests {
    private func app(_ tasks: [TaskItem]) -> ToDo {
        var app = ToDo()
        app.load(tasks)
        return app
    }

    private let list = RouteStack(Screen.list(Query()))
    private let few = [
        TaskItem(id: "a", name: "Buy milk"),
        TaskItem(id: "b", name: "B", dueDate: CalendarDate(year: 2026, month: 2, day: 1)),
    ]

    @Test func `a row shows title, date and state, and leads to its task`() {
        let rows = ListView(app(few), at: list).rows
        #expect(rows.map(\.name) == ["Buy milk", "B"])
        #expect(rows.map(\.date) == [nil, "01/02/2026"])
        #expect(rows.map(\.isDone) == [false, false])
        #expect(rows.map(\.url) == ["/task/a", "/task/b"])
    }

    @Test func `a list begins with a hundred rows and says how many are left`() {
        let many = app((0..<1_000).map { TaskItem(id: "\($0)", name: "\($0)") })
        let view = ListView(many, at: list)
        #expect(view.rows.count == 100 && view.total == 1_000)
        #expect(MoreView(view).count == 900)
        #expect(MoreView(view).url == "/?rows=400")
        let all = ListView(many, at: RouteStack(Screen.list(Query(rows: .max))))
        #expect(all.rows.count == 1_000)
        #expect(MoreView(all).count == nil)
        #expect(all.query.withMoreRows.rows == Query.mostRows)
    }

    @Test func `no address shows more rows than a list may have`() {
        let many = app((0..<Query.mostRows + 7).map { TaskItem(id: "\($0)", name: "\($0)") })
        let view = ListView(many, at: RouteStack(Screen.codec.route(at: "/?rows=1000000000")))
        #expect(view.rows.count == Query.mostRows)
        #expect(MoreView(view).count == 7 && MoreView(view).isFull)
    }

    @Test func `the list under a task is the one that led to it`() {
        let query = Query(search: "x", show: .done)
        let routes = RouteStack(Screen.list(Query()), .list(query), .task("a"))
        #expect(routes.query == query)
        #expect(DetailView(app(few), at: routes).list == "/?search=x&show=done")
        #expect(RouteStack(Screen.notFound).query == Query())
    }

    @Test func `what is under way, and what couldn't be sent, is said`() async throws {
        var app = app(few)
        #expect(TopView(app).activity == nil)
        app.apply(ListAction.toggle(id: "a"))
        #expect(TopView(app).activity == "Saving…")
        #expect(UnsentView(app.list).text == nil)
        let store = Store(app) { toDo(on: Unreachable()) }
        let resting = try await store.wait { $0.list.isResting }
        #expect(TopView(resting).activity == nil)
        #expect(UnsentView(resting.list).text == "1 change isn't on the server yet.")
        #expect(ListView(resting, at: list).rows.map(\.isUnsent) == [true, false])
        await store.shutdown()
        var asking = self.app(few)
        asking.apply(ListAction.get)
        #expect(TopView(asking).activity == "Loading…")
    }

    @Test func `the buttons name the steps, and rest while there are none`() {
        let store = Store(app(few)) { toDo(on: Memory(few)) }
        #expect(TopView(store.state).undo == nil && TopView(store.state).redo == nil)
        store.dispatch(ListAction.toggle(id: "a"))
        #expect(TopView(store.state).undo == 1 && TopView(store.state).redo == nil)
        store.dispatch(UndoAction.undo(step: 1))
        #expect(TopView(store.state).undo == nil && TopView(store.state).redo == 1)
    }

    @Test func `nothing but what a user can do comes in`() async throws {
        try await serve(few) { client in
            let page = try await client.executeRequest(
                uri: "/", method: .get, headers: [:], body: nil)
            let cookie = String(page.headers[.setCookie]?.split(separator: ";").first ?? "")
            for type in [
                "AppEvent/left", "tasks/answered", "Tabs.Screen/open", "change",
                "ListAction/nothing",
            ] {
                let response = try await client.executeRequest(
                    uri: "/", method: .post,
                    headers: [.contentType: "application/json", .cookie: cookie],
                    body: ByteBuffer(string: #"{"type":"\#(type)","request":"12345678"}"#))
                #expect(response.status == .badRequest, "\(type)")
            }
        }
    }

    @Test(arguments: [("/", 200), ("/new", 200), ("/task/a", 200), ("/nothing", 404)])
    func `every screen has a document`(path: String, status: Int) async throws {
        try await serve(few) { client in
            let response = try await client.executeRequest(
                uri: path, method: .get, headers: [.accept: "text/html"], body: nil)
            #expect(response.status.code == status)
            #expect(String(buffer: response.body).hasPrefix("<!doctype html>"))
        }
    }

    private func serve(
        _ tasks: [TaskItem], _ body: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        var options = ServerOptions(port: 0)
        options.logger.logLevel = .critical
        let server = try PageServer.toDo(on: Memory(tasks), options: options)
        try await server.application().test(.router) { try await body($0) }
    }
}
