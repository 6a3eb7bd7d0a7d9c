// SPDX-License-Identifier: MIT
#if Inspector

internal import Onward
internal import OnwardServer

/// Does something to an inspected store.
struct Steer: Action, Decodable {
    let store: String
    let command: InspectorCommand

    private enum Key: String, CodingKey { case store }

    init(store: String, _ command: InspectorCommand) {
        self.store = store
        self.command = command
    }

    /// Reads the store's name, and the command beside it.
    init(from decoder: any Decoder) throws {
        store = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .store)
        command = try InspectorCommand(from: decoder)
    }
}

/// The logs, as they are now.
struct Look: Action {
    let stores: [InspectorState.Seen]
}

/// A command was not done.
struct Refuse: Action {
    let store: String
    let problem: String
}

/// The app that the inspector is: its reducers, what steers the stores, and what watches them.
func inspectorFeature(of stores: StoreList) -> Feature<InspectorState> {
    Feature {
        Steering(stores: stores)
        Reduce { (state: inout InspectorState, steer: Steer) in
            state.setProblem(nil, of: steer.store)
        }
        Reduce { (state: inout InspectorState, refuse: Refuse) in
            state.setProblem(refuse.problem, of: refuse.store)
        }
        Reduce { (state: inout InspectorState, look: Look) in
            let problems = state.stores.map { ($0.name, $0.problem) }
            state.stores = look.stores
            for (name, problem) in problems { state.setProblem(problem, of: name) }
        }
        Scope(\.tabs, TabNavigation<Place>(depthLimit: 50))
        While(\.pace) { pace, context in
            context.dispatch(Look(stores: stores.seen))
            for await _ in context.clock.ticks(every: pace) {
                guard let look = stores.look(since: context.current.summaries) else { continue }
                context.dispatch(look)
            }
        }
    }
}

extension InspectorState {
    fileprivate mutating func setProblem(_ problem: String?, of store: String) {
        guard let index = stores.firstIndex(where: { $0.name == store }) else { return }
        stores[index].problem = problem
    }
}

extension StoreList {
    /// The stores as they are now.
    var seen: [InspectorState.Seen] {
        all.map { name, store in
            let log = store.log
            return InspectorState.Seen(
                name: name, log: log, summary: log.summary, actionNames: store.actionNames)
        }
    }

    /// The stores as they are now; nil where nothing has changed since.
    func look(since summaries: [String: LogSummary]) -> Look? {
        let now = all
        let isSame =
            now.count == summaries.count
            && now.allSatisfy { summaries[$0.name] == $0.store.summary }
        return isSame ? nil : Look(stores: seen)
    }
}

/// Has commands done before the reducers run.
///
/// So whoever dispatched one finds its result in the state.
private struct Steering: Middleware {
    typealias State = InspectorState

    let stores: StoreList

    func handle<A: Action>(
        _ action: A, in context: borrowing MiddlewareContext<InspectorState>
    ) -> DispatchResult {
        guard let steer = action as? Steer else { return context.next(action) }
        var problem: String?
        do {
            guard let store = stores[steer.store] else {
                throw InspectorError(.missing, "There is no store \"\(steer.store)\".")
            }
            try store.perform(steer.command)
        } catch {
            problem = "\(error)"
        }
        let result = context.next(action)
        context.dispatch(Look(stores: stores.seen))
        if let problem { context.dispatch(Refuse(store: steer.store, problem: problem)) }
        return result
    }
}
#endif
