// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardTesting
import Testing
import ToDoSync
import ToDoTasks

@testable import ToDoCore

/// What holds whatever users and servers do.
@Suite struct RandomTests {
    private struct Nowhere: TaskServer {
        func tasks() async throws -> [TaskItem] { throw Problem.unreachable }
        func perform(_ change: Change) async throws { throw Problem.unreachable }
    }

    @Test func `users and a server that does what it likes never confuse the list`() {
        var app = ToDo()
        for event in [ServerEvent.prepared(id: "new-0"), .loaded([])] { app.apply(event) }
        toDo(on: Nowhere()).check(
            from: app,
            always: [
                "what is shown is what the server knows, and what waits upon it": { app in
                    var shown = app.list.known.value ?? []
                    for change in app.list.outbox.changes { shown.apply(change.kind, change.task) }
                    return shown.elementsEqual(app.list.tasks)
                },
                "at most two changes of a task wait": { app in
                    Dictionary(grouping: app.list.outbox.changes, by: \.task.id)
                        .allSatisfy { $0.value.count <= 2 }
                },
                "a task is created first or after its deletion, and nothing else follows that": {
                    Dictionary(grouping: $0.list.outbox.changes, by: \.task.id).allSatisfy {
                        let kinds = $0.value.map(\.kind)
                        return zip(kinds, kinds.dropFirst()).allSatisfy {
                            ($0 == .delete) == ($1 == .create)
                        }
                    }
                },
                "nobody who can't be reached is asked for a change": { app in
                    !app.list.outbox.isResting || [nil, .tasks].contains(app.list.request)
                },
            ],
            eachStep: [
                "a change that is under way stays as it is until the server answers": {
                    before, action, after in
                    before.list.outbox.changes.isEmpty || action is ServerEvent
                        || after.list.outbox.changes.first == before.list.outbox.changes.first
                }
            ]
        ) { random, app in
            let id = app.list.tasks.map(\.id).randomElement(using: &random) ?? "nobody"
            let number = app.list.outbox.changes.first?.number ?? 0
            return switch Int.random(in: 0..<14, using: &random) {
            case 0: ListAction.toggle(id: id)
            case 1: ListAction.delete(id: id)
            case 2: SelectionAction.save(id: id, name: "\(id)!", notes: "")
            case 3, 4: SelectionAction.save(id: app.adding?.id ?? id, name: "New", notes: "")
            case 5: ServerEvent.prepared(id: "new-\(UInt64.random(in: 0 ... .max, using: &random))")
            case 6: ListAction.get
            case 7: ServerEvent.loaded((0..<4).map { TaskItem(id: "\($0)", name: "Task \($0)") })
            case 8, 9: ServerEvent.sent(change: number)
            case 10: app.steps.undo ?? .undo(step: 0)
            case 11: app.steps.redo ?? .redo(step: 0)
            case 12: ServerEvent.sendingFailed(change: number, .unreachable)
            default: ServerEvent.sendingFailed(change: number, .refused(status: 400, reason: nil))
            }
        }
    }
}
