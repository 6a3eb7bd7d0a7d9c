// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal
import OnwardNavigation
public import ToDoSync

/// What actions do to the state, without what goes on outside: enough to run a recorded session again.
public let toDoReducers = Feature<ToDo> {
    Scope(\.routing, TabNavigation<Screen>())
    Undoable(\.list.wanted, stack: \.steps) {
        Reduce { (app: inout ToDo, action: ListAction) in app.apply(action) }
        Reduce { (app: inout ToDo, action: SelectionAction) in app.apply(action) }
    }
    .recording(ListAction.self)
    .recording(SelectionAction.self)
    Reduce { (app: inout ToDo, event: ServerEvent) in app.apply(event) }
    Present(\.alert)
}

/// The app as a feature.
///
/// - Parameters:
///   - server: Where the list is kept. It has thirty seconds for each answer.
///   - unsent: Where what isn't sent yet outlives the program; nowhere if nil.
/// - Returns: The feature, for a store per user.
public func toDo(
    on server: some TaskServer, keeping unsent: SavedValue<[Change]>? = nil
) -> Feature<ToDo> {
    Feature {
        toDoReducers
        While(\.list.known.isIdle) { _, context in context.dispatch(ListAction.get) }
        While(\.isIDNeeded) { _, context in
            context.dispatch(ServerEvent.prepared(id: "\(context.ids.next())"))
        }
        While(\.abandoned) { ids, context in context.dispatch(ServerEvent.left(ids)) }
        // One request at a time, so none overtakes another.
        While(\.list.request, id: "request") { request, context in
            switch request {
            case .tasks: context.dispatch(ServerEvent.loaded(try await server.tasks()))
            case .change(let change):
                try await server.perform(change)
                context.dispatch(ServerEvent.sent(change: change.number))
            }
        } catching: { request, error, context in
            let problem = error as? Problem ?? (error is EffectTimeout ? .timedOut : .unreachable)
            switch request {
            case .tasks: context.dispatch(ServerEvent.loadingFailed(problem))
            case .change(let change):
                context.dispatch(ServerEvent.sendingFailed(change: change.number, problem))
            }
        }
        .modifying { $0.timeout(after: .seconds(30)) }
        if let unsent { Saving(\.list.outbox.changes, as: unsent, after: .zero) }
    }
}
