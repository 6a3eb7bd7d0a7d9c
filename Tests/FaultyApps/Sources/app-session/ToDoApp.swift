// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardNavigation
import OnwardQueries
import OnwardReports
import ToDoCore
import ToDoSync
import ToDoTasks

/// The fault: changes that wait are not merged, so there are more and more of a task.
enum ToDoApp: FaultyApp {
    static let start = ToDo()
    static let reducers = toDoReducers
    static let redaction = Redaction<ToDo>()
        .allowingTexts { CalendarDate($0) != nil }
        .checking("tasks") { $0.list.tasks.map(\.state) }

    static func hasFault(_ app: ToDo) -> Bool {
        Dictionary(grouping: app.list.changes, by: \.task.id).values.contains {
            $0.count > 2
        }
    }

    static let promise = "at most two changes of a task wait"
    static let expectation =
        "Dictionary(grouping: state.list.changes, by: \\.task.id).values.allSatisfy { $0.count < 3 }"
    static let making = "Store(ToDo()) { toDoReducers }"
    static let modules = ["OnwardQueries", "ToDoCore", "ToDoSync", "ToDoTasks"]

    /// A user and a server; while they are careful, the server answers each change before the next.
    struct User: FaultyAppUser {
        var random: Generator
        private var hasTab = false

        init(random: Generator) { self.random = random }

        mutating func act(on store: Store<ToDo>, isCareful: Bool) {
            let app = store.state
            let tasks = Array(app.list.tasks)
            let now = Timestamp(nanosecondsSince1970: 0)
            if !hasTab {
                hasTab = true
                store.dispatch(TabAction.open("the tab", at: RouteStack(Screen.list(.init()))))
                store.dispatch(MutationAction<Change>.started(UniqueID(number: 1)))
            } else if isCareful, let sent = app.list.server.pending.first,
                let change = app.list.changes.first
            {
                store.dispatch(MutationAction.confirmed(sent.id, change, Done()))
            } else if let request = app.list.answers.requests.first {
                // Somebody else has added one.
                let new = TaskItem(id: random.text(), name: random.text())
                store.dispatch(
                    QueryAction.answered(
                        AllTasks(), request: request.id, Array(tasks.prefix(8)) + [new], at: now))
                store.dispatch(QueryAction<AllTasks>.wanted([], at: now))
            } else if !app.list.questions.isEmpty {
                store.dispatch(QueryAction.wanted(app.list.questions, at: now))
            } else if let adding = app.adding {
                act(tasks, adding: adding.id, store)
            } else {
                store.dispatch(AppEvent.prepared(id: random.text()))
            }
        }

        private mutating func act(_ tasks: [TaskItem], adding: TaskItem.ID, _ store: Store<ToDo>) {
            guard let task = tasks.randomElement(using: &random) else { return }
            switch Int.random(in: 0..<12, using: &random) {
            case 0: store.dispatch(SelectionAction.title(id: adding, name: random.text()))
            case 1:
                store.dispatch(
                    SelectionAction.save(id: adding, name: random.text(), notes: random.text()))
            case 2: store.dispatch(ListAction.delete(id: task.id))
            case 3:
                guard let date = CalendarDate(year: 2026, month: 11, day: 25) else { return }
                store.dispatch(SelectionAction.date(id: task.id, date: date))
            case 4: store.dispatch(SelectionAction.discard(id: task.id))
            case 5: store.dispatch(NavigationAction.push(Screen.task(task.id)))
            case 6: store.dispatch(NavigationAction<Screen>.popToRoot)
            case 7: if let undo = store.state.steps.undo { store.dispatch(undo) }
            case 8: store.dispatch(ListAction.get)
            default: store.dispatch(ListAction.toggle(id: task.id))
            }
        }
    }
}
