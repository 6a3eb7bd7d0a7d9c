// SPDX-License-Identifier: MIT

public import Onward

/// The server that keeps the list, as far as the app sees it.
public protocol TaskServer: Sendable {
    /// All tasks, in the server's order; throws ``Problem``.
    func tasks() async throws -> [TaskItem]
    /// Does a change; throws ``Problem``.
    func perform(_ change: Change) async throws
}

/// The app as a feature.
///
/// - Parameter server: Where the list is kept. It has thirty seconds for each answer.
/// - Returns: The feature, for a store per user.
public func toDo(on server: some TaskServer) -> Feature<ToDo> {
    Feature {
        Scope(\.routing, TabNavigation<Screen>())
        Reduce { (app: inout ToDo, action: ListAction) in app.apply(action) }
        Reduce { (app: inout ToDo, action: SelectionAction) in app.apply(action) }
        Reduce { (app: inout ToDo, event: ServerEvent) in app.apply(event) }
        While(\.isIdle) { _, context in context.dispatch(ListAction.get) }
        While(\.isIDNeeded) { _, context in
            context.dispatch(ServerEvent.prepared(id: "\(context.ids.next())"))
        }
        While(\.abandoned) { ids, context in context.dispatch(ServerEvent.left(ids)) }
        // One request at a time, so none overtakes another; a change comes before the list.
        While(\.request, id: "request") { request, context in
            switch request {
            case .list: context.dispatch(ServerEvent.loaded(try await server.tasks()))
            case .change(let change):
                try await server.perform(change)
                context.dispatch(ServerEvent.sent(change: change.number))
            }
        } catching: { error, context in
            let isLate = (error as? EffectError)?.code == .timedOut
            let problem = error as? Problem ?? (isLate ? .timedOut : .unreachable)
            switch context.state.request {
            case .list: context.dispatch(ServerEvent.loadingFailed(problem))
            case .change(let change):
                context.dispatch(ServerEvent.sendingFailed(change: change.number, problem))
            case nil: break
            }
        }
        .modifying { $0.timeout(after: .seconds(30)) }
    }
}
