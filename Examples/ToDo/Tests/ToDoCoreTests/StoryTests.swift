// SPDX-License-Identifier: MIT

import Onward
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
        let id = "\(UniqueID(number: 1))"
        let store = TestStore(ToDo()) { toDo(on: Quick()) }
        await store.receive(ListAction.get) { $0.list.known.load() }
        await store.receive(ServerEvent.prepared(id: id)) {
            $0.adding = Selection(TaskItem(id: id))
        }
        await store.receive(ServerEvent.loaded(.few)) { $0.apply(ServerEvent.loaded(.few)) }
        await store.dispatch(ListAction.toggle(id: "a"), .partial) {
            $0.list.tasks[id: "a"]?.state = .done
        }
        await store.receive(ServerEvent.sent(change: 1), .partial) {
            $0.list.known.value?[id: "a"]?.state = .done
        }
        await store.finish()
    }

    @Test func `nothing is lost while the server is gone`() async {
        let server = Quick()
        let store = TestStore(ToDo()) { toDo(on: server) }
        await store.receive(ServerEvent.loaded(.few), .partial)
        server.isGone.withLock { $0 = true }
        await store.dispatch(ListAction.delete(id: "b"), .partial)
        await store.receive(ServerEvent.sendingFailed(change: 1, .unreachable)) {
            $0.list.outbox.isResting = true
            $0.alert = .failed(.delete, of: "Call Anna", .unreachable)
        }
        await store.dispatch(ListAction.accept) { $0.alert = nil }
        await store.advance(by: .seconds(3_600))  // it waits for the user
        server.isGone.withLock { $0 = false }
        await store.dispatch(ListAction.sendAgain) { $0.list.outbox.isResting = false }
        await store.receive(ServerEvent.sent(change: 1), .partial) { $0.list.known.load() }
        await store.receive(ServerEvent.loaded(.few), .partial) {
            $0.list.known = .loaded($0.list.tasks)
        }
        await store.finish()
    }
}
