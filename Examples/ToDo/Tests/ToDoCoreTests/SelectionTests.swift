// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation
import OnwardTesting
import Testing
import ToDoSync
import ToDoTasks

@testable import ToDoCore

@Suite struct SelectionTests {
    private let outside = Outside()
    private let day = CalendarDate(year: 2027, month: 2, day: 28)

    @Test func `each edit changes what is selected, and nothing in the list`() async throws {
        let store = try await outside.loaded()
        store.dispatch(SelectionAction.title(id: "a", name: "Buy oat milk"))
        store.dispatch(SelectionAction.notes(id: "a", notes: "Two"))
        store.dispatch(SelectionAction.toggle(id: "a"))
        store.dispatch(SelectionAction.date(id: "a", date: try #require(day)))
        let edited = TaskItem(
            id: "a", name: "Buy oat milk", dueDate: day, notes: "Two", state: .done)
        #expect(store.state.selection(of: "a")?.task == edited)
        #expect(Array(store.state.list.tasks) == .few)
        store.dispatch(SelectionAction.removeDate(id: "a"))
        store.dispatch(SelectionAction.notes(id: "a", notes: ""))
        #expect(store.state.selection(of: "a")?.task.dueDate == nil)
        #expect(store.state.selection(of: "a")?.task.notes == nil)
        store.dispatch(SelectionAction.discard(id: "a"))
        #expect(store.state.selection(of: "a")?.task == [TaskItem].few[0])
        #expect(store.state.editing.isEmpty)
    }

    @Test func `the date selector is shown, and hidden with and without a choice`() async throws {
        let store = try await outside.loaded()
        #expect(store.state.selection(of: "c")?.isChoosingDate == false)
        store.dispatch(SelectionAction.chooseDate(id: "c"))
        #expect(store.state.selection(of: "c")?.isChoosingDate == true)
        #expect(store.state.selection(of: "a")?.isChoosingDate == false)
        store.dispatch(SelectionAction.keepDate(id: "c"))
        #expect(store.state.selection(of: "c")?.isChoosingDate == false)
        #expect(store.state.selection(of: "c")?.task.dueDate?.slashed == "01/12/2026")
        store.dispatch(SelectionAction.chooseDate(id: "c"))
        store.dispatch(SelectionAction.date(id: "c", date: try #require(day)))
        #expect(store.state.selection(of: "c")?.isChoosingDate == false)
        #expect(store.state.selection(of: "c")?.task.dueDate == day)
    }

    @Test func `saving shows at once, and then what the server knows`() async throws {
        let store = try await outside.loaded()
        store.dispatch(SelectionAction.toggle(id: "a"))
        store.save("a", "Buy oat milk", notes: "Two")
        let saved = TaskItem(id: "a", name: "Buy oat milk", notes: "Two", state: .done)
        #expect(store.state.list.tasks[id: "a"] == saved)
        #expect(store.state.editing.isEmpty)
        let request = try #require(await outside.next())
        #expect(request.change?.kind == .update && request.change?.task == saved)
        request.succeed()
        let list = try #require(await outside.next())
        #expect(list.change == nil && store.state.list.isLoading)
        list.succeed([saved])
        _ = try await store.wait { $0.list.isLoaded }
        #expect(Array(store.state.list.tasks) == [saved])
    }

    @Test func `a new task has an id of its own, and isn't in the list before it is saved`()
        async throws
    {
        let store = try await outside.loaded()
        let first = try #require(store.state.adding?.id)
        store.dispatch(SelectionAction.title(id: first, name: "New"))
        #expect(store.state.list.tasks.count == 3)
        store.save(first, "New")
        #expect(store.names.first == "New")
        let request = try #require(await outside.next())
        #expect(request.change?.kind == .create)
        #expect(request.change?.task == TaskItem(id: first, name: "New"))
        let state = try await store.wait { $0.adding != nil }
        #expect(state.adding?.id != first)
        #expect(state.adding?.task.name == "")
        request.succeed()
        await store.shutdown()
    }

    @Test func `adding begins with an empty task`() async throws {
        let store = try await outside.loaded()
        let id = try #require(store.state.adding?.id)
        store.dispatch(SelectionAction.title(id: id, name: "Half a tho"))
        store.dispatch(ListAction.add)
        #expect(store.state.adding?.task == TaskItem(id: id))
    }

    @Test(arguments: ["", " ", "\n\t "])
    func `a task without title isn't saved, and what was written stays`(name: String) async throws {
        let store = try await outside.loaded()
        store.dispatch(SelectionAction.notes(id: "a", notes: "Two"))
        store.save("a", name, notes: "Two")
        #expect(store.state.alert?.title == "The task has no title.")
        #expect(store.state.selection(of: "a")?.task.notes == "Two")
        #expect(store.state.list.changes.isEmpty)
    }

    @Test func `a refused creation is rolled back with an alert, and what followed it isn't sent`()
        async throws
    {
        let store = try await outside.loaded()
        let id = try #require(store.state.adding?.id)
        store.save(id, "New")
        store.dispatch(ListAction.toggle(id: id))
        try #require(await outside.next()).fail(.refused(status: 507, reason: nil))
        _ = try await store.wait { $0.alert != nil }
        #expect(Array(store.state.list.tasks) == .few)
        #expect(store.state.alert?.title == "“New” couldn't be created.")
        let next = try #require(await outside.next())
        #expect(next.change == nil)
        next.succeed(.few)
        await store.shutdown()
    }

    @Test func `a refused save is rolled back with an alert`() async throws {
        let store = try await outside.loaded()
        store.save("a", "Buy oat milk")
        try #require(await outside.next()).fail(.refused(status: 422, reason: nil))
        _ = try await store.wait { $0.alert != nil }
        #expect(store.names[0] == "Buy milk")
        #expect(store.state.alert?.title == "“Buy oat milk” couldn't be saved.")
        try #require(await outside.next()).succeed(.few)
        await store.shutdown()
    }

    @Test func `an edit is forgotten when all tabs have left its screen`() async throws {
        let store = try await outside.loaded()
        store.open("one", at: .task("a"))
        store.open("two", at: .task("a"))
        store.dispatch(SelectionAction.title(id: "a", name: "Half"))
        store.go("one", .pop)
        await store.waitUntilIdle()
        #expect(store.state.selection(of: "a")?.task.name == "Half")
        store.go("two", .pop)
        _ = try await store.wait { $0.editing.isEmpty }
        #expect(store.state.selection(of: "a")?.task.name == "Buy milk")
    }

    @Test func `two tabs edit two tasks`() async throws {
        let store = try await outside.loaded()
        store.open("one", at: .task("a"))
        store.open("two", at: .task("b"))
        store.dispatch(SelectionAction.title(id: "a", name: "A"))
        store.dispatch(SelectionAction.title(id: "b", name: "B"))
        await store.waitUntilIdle()
        #expect(store.state.editing.map(\.task.name) == ["A", "B"])
    }
}
