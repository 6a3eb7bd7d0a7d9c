// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

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
                    var shown = app.known
                    for change in app.outbox.changes { shown.apply(change) }
                    return shown.elementsEqual(app.tasks)
                },
                "at most two changes of a task wait": { app in
                    Dictionary(grouping: app.outbox.changes, by: \.task.id)
                        .allSatisfy { $0.value.count <= 2 }
                },
                "only the first change of a task creates it, and none follows its deletion": {
                    Dictionary(grouping: $0.outbox.changes, by: \.task.id).allSatisfy {
                        let kinds = $0.value.map(\.kind)
                        return !kinds.dropFirst().contains(.create)
                            && !kinds.dropLast().contains(.delete)
                    }
                },
                "who can't be reached isn't asked for a change": { app in
                    !app.outbox.isResting || app.request == nil || app.request == .list
                },
            ],
            eachStep: [
                "a change that is under way stays as it is until the server answers": {
                    before, action, after in
                    before.outbox.changes.isEmpty || action is ServerEvent
                        || after.outbox.changes.first == before.outbox.changes.first
                }
            ]
        ) { random, app in
            let id = app.tasks.map(\.id).randomElement(using: &random) ?? "nobody"
            let number = app.outbox.changes.first?.number ?? 0
            return switch Int.random(in: 0..<12, using: &random) {
            case 0: ListAction.toggle(id: id)
            case 1: ListAction.delete(id: id)
            case 2: SelectionAction.save(id: id, name: "\(id)!", notes: "")
            case 3, 4: SelectionAction.save(id: app.adding?.id ?? id, name: "New", notes: "")
            case 5: ServerEvent.prepared(id: "new-\(UInt16.random(in: 0 ... .max, using: &random))")
            case 6: ListAction.get
            case 7: ServerEvent.loaded((0..<4).map { TaskItem(id: "\($0)", name: "Task \($0)") })
            case 8, 9: ServerEvent.sent(change: number)
            case 10: ServerEvent.sendingFailed(change: number, .unreachable)
            default: ServerEvent.sendingFailed(change: number, .refused(status: 400, reason: nil))
            }
        }
    }
}
