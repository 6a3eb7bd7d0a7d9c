// SPDX-License-Identifier: MIT

import Testing
import ToDoTasks

@testable import ToDoSync

@Suite struct OutboxTests {
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
        var outbox = Outbox()
        outbox.append(.update, TaskItem(id: "first"), isFollowedByList: false)
        for kind in kinds { outbox.append(kind, task, isFollowedByList: false) }
        #expect(outbox.changes.dropFirst().map(\.kind) == together)
    }

    @Test func `the first one stays as it is, since it may be under way`() {
        var outbox = Outbox()
        for kind in [Change.Kind.create, .update, .delete] {
            outbox.append(kind, task, isFollowedByList: false)
        }
        #expect(outbox.changes.map(\.kind) == [.create, .delete])
    }

    @Test func `the list is asked for if one of the changes wants it`() {
        var outbox = Outbox()
        outbox.append(.update, TaskItem(id: "first"), isFollowedByList: false)
        outbox.append(.update, task, isFollowedByList: true)
        outbox.append(.update, task, isFollowedByList: false)
        #expect(outbox.changes.map(\.isFollowedByList) == [false, true])
    }

    @Test func `an answer to a change that isn't under way says nothing`() {
        var outbox = Outbox()
        outbox.append(.update, task, isFollowedByList: false)
        #expect(outbox.finish(2) == nil)
        outbox.isResting = true
        #expect(outbox.finish(1) == nil)
        outbox.isResting = false
        #expect(outbox.finish(1)?.task == task)
        #expect(outbox.changes.isEmpty)
    }

    @Test(arguments: [
        ([Change.Kind.create, .update], [Change.Kind]()), ([.create, .delete], []),
        ([.update, .delete], [.delete]), ([.delete, .create], [.update]),
    ])
    func `what follows a refused change is what still makes sense`(
        kinds: [Change.Kind], left: [Change.Kind]
    ) throws {
        var outbox = Outbox()
        for kind in kinds { outbox.append(kind, task, isFollowedByList: false) }
        outbox.append(.update, TaskItem(id: "other"), isFollowedByList: false)
        outbox.drop(try #require(outbox.current))
        #expect(outbox.changes.map(\.kind) == left + [.update])
    }
}
