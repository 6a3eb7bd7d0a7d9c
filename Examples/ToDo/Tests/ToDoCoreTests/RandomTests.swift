// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardQueries
import OnwardTesting
import Testing
import ToDoSync
import ToDoTasks

@testable import ToDoCore

/// What holds whatever users and servers do.
@Suite struct RandomTests {
    @Test func `users and a server that does what it likes never confuse the list`() {
        var app = ToDo()
        app.apply(AppEvent.prepared(id: "new-0"))
        app.load([])
        toDoReducers.check(
            from: app,
            always: [
                "what is shown is what the server knows, and what waits upon it": { app in
                    var shown = app.list.server.confirmed
                    for change in app.list.changes { change.apply(to: &shown) }
                    return shown.tasks.elementsEqual(app.list.tasks)
                },
                "at most two changes of a task wait": { app in
                    Dictionary(grouping: app.list.changes, by: \.task.id)
                        .allSatisfy { $0.value.count <= 2 }
                },
                "a task is created first or after its deletion, and nothing else follows that": {
                    Dictionary(grouping: $0.list.changes, by: \.task.id).allSatisfy {
                        let kinds = $0.value.map(\.kind)
                        return zip(kinds, kinds.dropFirst()).allSatisfy {
                            ($0 == .delete) == ($1 == .create)
                        }
                    }
                },
                "nobody who can't be reached is asked for a change": { app in
                    !app.list.isResting || app.list.sending == nil
                },
                "a change comes before the list": { app in
                    app.list.sending == nil || app.list.questions.isEmpty
                },
            ],
            eachStep: [
                "a change that is under way stays as it is until the server answers": {
                    before, action, after in
                    before.list.sending == nil || action is MutationAction<Change>
                        || after.list.sending == before.list.sending
                }
            ]
        ) { random, app in
            let id = app.list.tasks.map(\.id).randomElement(using: &random) ?? "nobody"
            let number = app.list.server.pending.first?.id ?? 0
            let request = app.list.answers.requests.first?.id ?? 0
            let now = Timestamp(nanosecondsSince1970: 0)
            return switch Int.random(in: 0..<18, using: &random) {
            case 0: ListAction.toggle(id: id)
            case 1: ListAction.delete(id: id)
            case 2: SelectionAction.save(id: id, name: "\(id)!", notes: "")
            case 3, 4: SelectionAction.save(id: app.adding?.id ?? id, name: "New", notes: "")
            case 5: AppEvent.prepared(id: "new-\(UInt64.random(in: 0 ... .max, using: &random))")
            case 6: ListAction.get
            case 7:
                QueryAction.answered(
                    AllTasks(), request: request,
                    (0..<4).map { TaskItem(id: "\($0)", name: "Task \($0)") }, at: now)
            case 8, 9:
                MutationAction<Change>.confirmed(
                    number, app.list.changes.first ?? Change(.delete, TaskItem(id: "")), Done())
            case 10: app.steps.undo ?? .undo(step: 0)
            case 11: app.steps.redo ?? .redo(step: 0)
            case 12: MutationAction<Change>.paused(number, .unreachable)
            case 13: MutationAction<Change>.started(UniqueID(number: 1))
            case 14: MutationAction<Change>.sent(number, at: now)
            case 15: QueryAction<AllTasks>.wanted(app.list.questions, at: now)
            case 16: QueryAction.failed(AllTasks(), request: request, .timedOut, at: now)
            default: MutationAction<Change>.refused(number, .refused(status: 400, reason: nil))
            }
        }
    }
}

extension TaskList {
    /// The change that is under way.
    fileprivate var sending: Change? {
        server.pending.first { $0.phase == .sending }?.mutation as? Change
    }
}
