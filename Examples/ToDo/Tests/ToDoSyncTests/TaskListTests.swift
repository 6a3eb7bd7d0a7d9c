// SPDX-License-Identifier: MIT

import Onward
import OnwardQueries
import Testing
import ToDoTasks

@testable import ToDoSync

@Suite struct TaskListTests {
    private func list(_ names: String...) -> TaskList {
        var list = TaskList()
        list.load(names.map { TaskItem(id: $0, name: $0) })
        return list
    }

    @Test func `an old value that is put back is a change of each task that differs`() {
        var list = list("a", "b", "c")
        let old = list.wanted
        list.load([
            TaskItem(id: "d", name: "D"), TaskItem(id: "a", name: "A"),
            TaskItem(id: "c", name: "c"),
        ])
        list.wanted = old
        let changes = Dictionary(grouping: list.changes, by: \.kind)
        #expect(changes[.update]?.map(\.task) == [TaskItem(id: "a", name: "a")])
        #expect(changes[.create]?.map(\.task) == [TaskItem(id: "b", name: "b")])
        #expect(changes[.delete]?.map(\.task.id) == ["d"])
        #expect(Set(list.tasks.map(\.name)) == ["a", "b", "c"])
    }

    @Test func `setting the tasks to what they are changes nothing`() {
        var list = list("a", "b")
        let before = list
        list.wanted = list.tasks
        #expect(list == before)
    }

    @Test func `what was shown stays while the list is asked for again, and when that fails`() {
        var list = list("a", "b")
        list.get()
        #expect(list.isLoading && list.tasks.count == 2)
        list.fail(.unreachable)
        #expect(list.problem == .unreachable && !list.isLoaded && list.tasks.count == 2)
        let change = Change(.delete, TaskItem(id: "a", name: "a"))
        list.server.enqueue(change)
        list.refuse(1, change)
        #expect(list.tasks.map(\.id) == ["a", "b"] && list.questions == [AllTasks()])
    }

    @Test(arguments: [
        ([Change.Kind.create, .update], [Change.Kind]()), ([.create, .delete], []),
        ([.update, .delete], [.delete]), ([.delete, .create], [.update]),
    ])
    func `what follows a refused change is sent as it then has to be`(
        kinds: [Change.Kind], left: [Change.Kind]
    ) {
        let task = TaskItem(id: "b", name: "b")
        var list = TaskList(unsent: kinds.prefix(1).map { Change($0, task) })
        list.load(kinds[0] == .create ? [] : [task])
        list.server.enqueue(Change(kinds[1], task))
        list.server.enqueue(Change(.update, TaskItem(id: "other")))
        list.refuse(1, Change(kinds[0], task))
        #expect(list.changes.map(\.kind) == left + [.update])
    }

    @Test func `a list that is loaded again knows what changed`() {
        var list = list("a", "b", "c")
        let older = list.tasks
        list.get()
        list.load([
            TaskItem(id: "a", name: "a"), TaskItem(id: "c", name: "C"),
            TaskItem(id: "d", name: "d"),
        ])
        let changes = list.tasks.changes(since: older)
        #expect(changes.removed == ["b"])
        #expect(changes.updated == ["c"])
        #expect(changes.inserted == ["d"])
    }

    @Test func `a task that the server has by now is deleted there, though its creation waited`() {
        var list = list("a")
        list.server.enqueue(Change(.update, TaskItem(id: "a", name: "A")))
        list.server.enqueue(Change(.create, TaskItem(id: "b", name: "b")))
        list.load(["a", "b"].map { TaskItem(id: $0, name: $0) })
        list.server.enqueue(Change(.delete, TaskItem(id: "b")))
        #expect(list.changes.map(\.kind) == [.update, .delete])
        #expect(list.tasks.map(\.id) == ["a"])
        list.wanted = list.wanted
        #expect(list.tasks.map(\.id) == ["a"])
    }
}
