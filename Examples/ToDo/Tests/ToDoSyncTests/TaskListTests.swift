// SPDX-License-Identifier: MIT

import Onward
import Testing
import ToDoTasks

@testable import ToDoSync

@Suite struct TaskListTests {
    private func list(_ names: String...) -> TaskList {
        var list = TaskList()
        list.get()
        list.load(names.map { TaskItem(id: $0, name: $0) })
        return list
    }

    @Test func `an old value that is put back is a change of each task that differs`() {
        var list = list("a", "b", "c")
        let old = list.wanted
        list.change(.update, TaskItem(id: "a", name: "A"))
        list.change(.delete, TaskItem(id: "b"))
        list.change(.create, TaskItem(id: "d", name: "D"))
        while let change = list.outbox.current { list.finish(change.number) }
        list.wanted = old
        let changes = Dictionary(grouping: list.outbox.changes, by: \.kind)
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

    @Test func `a list that nobody asked for is ignored`() {
        var list = list("a")
        list.load([])
        #expect(list.tasks.count == 1)
        #expect(list.failLoading(.unreachable) == false)
    }

    @Test func `what was shown stays while the list is asked for again, and when that fails`() {
        var list = list("a", "b")
        list.get()
        #expect(list.known.isLoading && list.tasks.count == 2)
        let isNotified = list.failLoading(.unreachable)
        #expect(isNotified && list.known == .failed(.unreachable, previous: list.tasks))
        list.change(.delete, TaskItem(id: "a", name: "a"))
        _ = list.fail(1, .refused(status: 500, reason: nil))
        #expect(list.tasks.map(\.id) == ["a", "b"] && list.request == .tasks)
    }

    @Test func `the list is asked for after a change that was sent before it ever was`() {
        var list = TaskList()
        list.change(.create, TaskItem(id: "a", name: "A"), isFollowedByList: false)
        list.finish(1)
        #expect(list.request == .tasks)
        #expect(list.known.value?.map(\.id) == ["a"])
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
        list.change(.update, TaskItem(id: "a", name: "A"))
        list.change(.create, TaskItem(id: "b", name: "b"))
        list.get()
        list.load(["a", "b"].map { TaskItem(id: $0, name: $0) })
        list.change(.delete, TaskItem(id: "b"))
        #expect(list.outbox.changes.map(\.kind) == [.update, .delete])
        #expect(list.tasks.map(\.id) == ["a"])
        list.wanted = list.wanted
        #expect(list.tasks.map(\.id) == ["a"])
    }
}
