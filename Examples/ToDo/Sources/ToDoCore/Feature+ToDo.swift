// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal
import OnwardNavigation
import OnwardQueries
public import ToDoSync
import ToDoTasks

/// What actions do to the state, without what goes on outside: enough to run a recorded session again.
public let toDoReducers = feature(on: nil)

/// The app as a feature.
///
/// - Parameters:
///   - server: Where the list is kept. It has thirty seconds for each answer.
///   - unsent: Where what isn't sent yet outlives the program; nowhere if nil.
/// - Returns: The feature, for a store per user.
public func toDo(
    on server: some TaskServer, keeping unsent: SavedValue<[Change]>? = nil
) -> Feature<ToDo> { feature(on: server, keeping: unsent) }

private func feature(
    on server: (any TaskServer)?, keeping unsent: SavedValue<[Change]>? = nil
) -> Feature<ToDo> {
    Feature {
        Scope(\.routing, TabNavigation<Screen>())
        Undoable(\.list.wanted, stack: \.steps) {
            Reduce { (app: inout ToDo, action: ListAction) in app.apply(action) }
            Reduce { (app: inout ToDo, action: SelectionAction) in app.apply(action) }
        }
        .recording(ListAction.self)
        .recording(SelectionAction.self)
        Reduce { (app: inout ToDo, event: AppEvent) in app.apply(event) }
        // The list itself takes what a server said after that.
        Reduce(child: \ToDo.list.answers) { $0.answered($1) }
        Reduce(child: \ToDo.list.server) { $0.sent($1) }
        Present(\.alert)
        Fetch(\.list.answers, while: \.list.questions, from: server)
            .writes(\.self) { app, _, tasks in app.load(tasks) }
        Send(to: server, at: \.list.server)
        if server != nil {
            While(\.isIDNeeded) { _, context in
                context.dispatch(AppEvent.prepared(id: "\(context.ids.next())"))
            }
            While(\.abandoned) { ids, context in context.dispatch(AppEvent.left(ids)) }
        }
        if let unsent { Saving(\.list.changes, as: unsent, after: .zero) }
    }
}
