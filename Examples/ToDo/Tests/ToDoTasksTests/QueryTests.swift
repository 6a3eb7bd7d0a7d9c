// SPDX-License-Identifier: MIT

import Testing
import ToDoTasks

@Suite struct QueryTests {
    private let few = [
        TaskItem(id: "a", name: "Buy milk"),
        TaskItem(id: "b", name: "Call Anna", notes: "About Friday", state: .done),
        TaskItem(id: "c", name: "Pay rent"),
    ]

    @Test func `the list can be searched and filtered`() {
        #expect(Query().find(in: few).found.map(\.id) == ["a", "b", "c"])
        #expect(Query(search: "BUY").find(in: few).found.map(\.id) == ["a"])
        #expect(Query(search: "friday").find(in: few).found.map(\.id) == ["b"])
        #expect(Query(show: .done).find(in: few).found.map(\.id) == ["b"])
        #expect(Query(show: .toDo).find(in: few).found.map(\.id) == ["a", "c"])
        #expect(Query(search: "anna", show: .toDo).find(in: few).found.isEmpty)
        let counts = Query(search: "a", show: .done).find(in: few).counts
        #expect(counts == [.all: 2, .toDo: 1, .done: 1])
    }
}
