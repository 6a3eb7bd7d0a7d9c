// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardTesting
import Testing
import ToDoSync
import ToDoTasks

@testable import ToDoCore

@Suite struct UndoTests {
    private let outside = Outside()

    /// What a user does to the list, and what it looks like then.
    private static let edits: [(name: String, edit: @Sendable (Store<ToDo>) -> Void)] = [
        ("a tick", { $0.dispatch(ListAction.toggle(id: "a")) }),
        ("a deletion", { $0.dispatch(ListAction.delete(id: "b")) }),
        ("a save", { $0.save("c", "Pay the rent", notes: "Today") }),
        ("an addition", { $0.save($0.state.adding?.id ?? "", "New") }),
    ]

    @Test(arguments: 0..<4)
    func `what was done to the list is undone and redone, and the server learns of each`(
        number: Int
    ) async throws {
        let store = try await outside.loaded()
        let before = byID(store)
        Self.edits[number].edit(store)
        let after = byID(store)
        #expect(after != before)
        var server = before
        try await answer(&server)
        #expect(server == after, "\(Self.edits[number].name)")

        store.dispatch(try #require(store.state.steps.undo))
        #expect(byID(store) == before)
        #expect(store.state.steps.undo == nil)
        try await answer(&server)
        #expect(server == before)

        store.dispatch(try #require(store.state.steps.redo))
        #expect(byID(store) == after)
        #expect(store.state.steps.redo == nil)
        try await answer(&server)
        #expect(server == after)
        await store.shutdown()
    }

    @Test func `steps are undone from the last to the first`() async throws {
        let store = try await outside.loaded()
        for name in ["One", "Two", "Three"] { store.save("a", name) }
        for name in ["Two", "One", "Buy milk"] {
            store.undo()
            #expect(store.names[0] == name)
        }
        store.redo()
        #expect(store.names[0] == "One")
        store.dispatch(ListAction.toggle(id: "b"))
        #expect(store.state.steps.redo == nil, "a new change drops what was undone")
        await store.shutdown()
    }

    @Test func `what waits is undone before it is ever sent`() async throws {
        let store = try await outside.loaded()
        store.dispatch(ListAction.toggle(id: "a"))
        let toggle = try #require(await outside.next())
        let id = try #require(store.state.adding?.id)
        store.save(id, "New")
        store.dispatch(ListAction.delete(id: "c"))
        store.undo()
        #expect(store.names == ["New", "Buy milk", "Call Anna", "Pay rent"])
        store.undo()
        #expect(store.names == ["Buy milk", "Call Anna", "Pay rent"])
        #expect(store.state.list.changes.map(\.task.id) == ["a", "c"])
        toggle.succeed()
        let request = try #require(await outside.next())
        #expect(request.change?.kind == .update)
        #expect(request.change?.task == [TaskItem].few[2])
        await store.shutdown()
    }

    @Test func `a second click that comes late undoes nothing more`() async throws {
        let store = try await outside.loaded()
        store.dispatch(ListAction.toggle(id: "a"))
        store.dispatch(ListAction.toggle(id: "c"))
        let undo = try #require(store.state.steps.undo)
        store.dispatch(undo)
        store.dispatch(undo)
        #expect(store.state.list.tasks.map(\.state) == [.done, .done, .toDo])
        await store.shutdown()
    }

    @Test func `what isn't saved, and what changes nothing, is no step`() async throws {
        let store = try await outside.loaded()
        store.dispatch(SelectionAction.title(id: "a", name: "Half"))
        store.dispatch(SelectionAction.toggle(id: "a"))
        store.dispatch(SelectionAction.discard(id: "a"))
        store.save("a", "")
        store.save("c", "Pay rent")
        store.dispatch(ListAction.accept)
        #expect(store.state.steps.undo == nil)
        await store.shutdown()
    }

    @Test func `a list that comes back as it was keeps the steps, in whatever order it is`()
        async throws
    {
        let store = try await outside.loaded()
        store.dispatch(ListAction.delete(id: "b"))
        try #require(await outside.next()).succeed()
        try #require(await outside.next()).succeed([[TaskItem].few[2], [TaskItem].few[0]])
        _ = try await store.wait { $0.list.isLoaded }
        #expect(store.names == ["Pay rent", "Buy milk"])
        store.undo()
        #expect(byID(store) == table(.few))
        await store.shutdown()
    }

    @Test func `a list in which others changed something forgets the steps`() async throws {
        let store = try await outside.loaded()
        store.dispatch(ListAction.delete(id: "b"))
        try #require(await outside.next()).succeed()
        let others = TaskItem(id: "a", name: "Buy bread")
        try #require(await outside.next()).succeed([others])
        _ = try await store.wait { $0.list.isLoaded }
        #expect(store.state.steps.undo == nil)
        #expect(Array(store.state.list.tasks) == [others])
    }

    @Test func `a refused change forgets the steps, since it is taken back already`() async throws {
        let store = try await outside.loaded()
        store.dispatch(ListAction.delete(id: "b"))
        try #require(await outside.next()).fail(.refused(status: 500, reason: nil))
        _ = try await store.wait { $0.alert != nil }
        #expect(store.state.steps.undo == nil)
        #expect(Array(store.state.list.tasks) == .few)
        await store.shutdown()
    }

    @Test func `what is undone while nobody can be reached is kept and sent again`() async throws {
        let store = try await outside.loaded()
        store.dispatch(ListAction.toggle(id: "a"))
        try #require(await outside.next()).fail(.unreachable)
        _ = try await store.wait { $0.list.isResting }
        store.undo()
        let first = try #require(await outside.next())
        #expect(first.change?.task.state == .done)
        first.succeed()
        let second = try #require(await outside.next())
        #expect(second.change?.task.state == .toDo)
        second.succeed()
        await store.shutdown()
    }

    private func byID(_ store: Store<ToDo>) -> [String: TaskItem] {
        table(Array(store.state.list.tasks))
    }

    private func table(_ tasks: [TaskItem]) -> [String: TaskItem] {
        Dictionary(tasks.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Does a change on a server's list, and lets the list be loaded if it is asked for.
    private func answer(_ server: inout [String: TaskItem]) async throws {
        let request = try #require(await outside.next())
        let change = try #require(request.change)
        server[change.task.id] = change.kind == .delete ? nil : change.task
        request.succeed()
        if change.isFollowedByList {
            try #require(await outside.next()).succeed(server.values.sorted { $0.id < $1.id })
        }
    }
}
