// SPDX-License-Identifier: MIT

import Onward
import OnwardQueries
import OnwardTesting
import Synchronization
import Testing
import ToDoSync
import ToDoTasks

@testable import ToDoCore

/// Whole stories, in which nothing happens that isn't said.
@Suite struct StoryTests {
    /// A server that answers at once, unless it is gone.
    private final class Quick: TaskServer {
        let isGone = Mutex(false)

        func tasks() async throws -> [TaskItem] { try answer(.few) }
        func perform(_ change: Change) async throws { _ = try answer([]) }

        private func answer(_ tasks: [TaskItem]) throws -> [TaskItem] {
            if isGone.withLock({ $0 }) { throw Problem.unreachable }
            return tasks
        }
    }

    @Test func `the list comes, a task is done, and the server learns of it`() async {
        let store = TestStore(ToDo()) { toDo(on: Quick()) }
        await store.receive(answer(request: 1, after: 0), .partial) { $0.load(.few) }
        let change = Change(
            .update, TaskItem(id: "a", name: "Buy milk", state: .done), isFollowedByList: false)
        await store.dispatch(ListAction.toggle(id: "a"), .partial) {
            #expect($0.list.changes == [change] && $0.list.tasks[id: "a"]?.state == .done)
        }
        await store.receive(MutationAction.confirmed(1, change, Done()), .partial) {
            #expect($0.list.server.confirmed.tasks[id: "a"]?.state == .done)
            #expect($0.list.changes.isEmpty && $0.list.isLoaded)
        }
        await store.finish(.partial)
    }

    @Test func `nothing is lost while the server is gone`() async {
        let server = Quick()
        let store = TestStore(ToDo()) { toDo(on: server) }
        await store.receive(answer(request: 1, after: 0), .partial)
        server.isGone.withLock { $0 = true }
        await store.dispatch(ListAction.delete(id: "b"), .partial)
        await store.receive(MutationAction<Change>.paused(1, .unreachable), .partial) {
            $0.alert = .failed(.delete, of: "Call Anna", .unreachable)
            #expect($0.list.isResting && $0.list.changes.count == 1)
        }
        await store.dispatch(ListAction.accept, .partial) { $0.alert = nil }
        await store.advance(by: .seconds(3_600))  // it waits for the user
        server.isGone.withLock { $0 = false }
        await store.dispatch(ListAction.sendAgain, .partial) { #expect(!$0.list.isResting) }
        let change = Change(.delete, [TaskItem].few[1])
        await store.receive(MutationAction.confirmed(1, change, Done()), .partial) {
            #expect($0.list.changes.isEmpty && $0.list.isLoading)
        }
        await store.receive(answer(request: 2, after: 3_600), .partial) { $0.load(.few) }
        await store.finish(.partial)
    }

    private func answer(request: Int, after seconds: Int64) -> QueryAction<AllTasks> {
        .answered(
            AllTasks(), request: request, .few,
            at: Timestamp(nanosecondsSince1970: seconds * 1_000_000_000))
    }
}
