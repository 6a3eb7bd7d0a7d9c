// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardQueries
import Testing
import ToDoTasks

@testable import ToDoSync

@Suite struct ChangeTests {
    private let task = TaskItem(id: "a", name: "A")

    @Test(arguments: [
        ([Change.Kind.create, .update], [Change.Kind.create]), ([.create, .delete], []),
        ([.update, .update], [.update]), ([.update, .delete], [.delete]),
        ([.delete, .create], [.update]), ([.create, .update, .delete], []),
        ([.delete, .create, .delete], [.delete]),
    ])
    func `changes of one task that wait are one change`(
        kinds: [Change.Kind], together: [Change.Kind]
    ) {
        var list = TaskList()
        list.server.enqueue(Change(.update, TaskItem(id: "first")))
        for kind in kinds { list.server.enqueue(Change(kind, task)) }
        #expect(list.changes.dropFirst().map(\.kind) == together)
    }

    @Test func `the list is asked for after the last of several if it was to follow any of them`() {
        var list = TaskList()
        list.server.enqueue(Change(.update, TaskItem(id: "first"), isFollowedByList: false))
        list.server.enqueue(Change(.update, task, isFollowedByList: true))
        list.server.enqueue(Change(.update, task, isFollowedByList: false))
        #expect(list.changes.map(\.isFollowedByList) == [false, true])
    }

    @Test func `what an earlier version kept is read`() throws {
        let json = """
            {"number": 41, "kind": "create", "isFollowedByList": true,
            "task": {"id": "a", "name": "A", "state": 0}}
            """
        let change = try JSONDecoder().decode(Change.self, from: Data(json.utf8))
        #expect(change == Change(.create, TaskItem(id: "a", name: "A")))
    }
}
