// SPDX-License-Identifier: MIT
#if Server

internal import Onward
internal import OnwardInspection
internal import OnwardNavigation
internal import OnwardServer

/// Performs a command on an inspected store.
struct Steer: Action, Decodable {
    let store: String
    let command: InspectorCommand

    private enum Key: String, CodingKey { case store }

    init(store: String, _ command: InspectorCommand) {
        self.store = store
        self.command = command
    }

    /// Decodes the store's name, and the command beside it.
    init(from decoder: any Decoder) throws {
        store = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .store)
        command = try InspectorCommand(from: decoder)
    }
}

/// Dispatches an action with filled-in fields.
struct FillIn: Action, Decodable {
    let store: String
    let action: String
    /// The input for each field, by name.
    let texts: [String: String]

    /// The form's own fields, and those of the action; no other name counts.
    private struct Key: CodingKey {
        static let (store, action) = (Key("store"), Key("action"))

        let stringValue: String
        var intValue: Int? { nil }

        private init(_ name: String) { stringValue = name }

        init?(stringValue: String) {
            guard ["store", "action"].contains(stringValue) || stringValue.hasPrefix(FillIn.mark)
            else {
                return nil
            }
            self.stringValue = stringValue
        }

        init?(intValue: Int) { nil }
    }

    /// The prefix of the action's field names, which could clash with the form's own.
    static let mark = "field."

    init(store: String, action: String, _ texts: [String: String]) {
        self.store = store
        self.action = action
        self.texts = texts
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        store = try fields.decode(String.self, forKey: .store)
        action = try fields.decode(String.self, forKey: .action)
        var texts: [String: String] = [:]
        for key in fields.allKeys where key.stringValue.hasPrefix(Self.mark) {
            texts[String(key.stringValue.dropFirst(Self.mark.count))] =
                try fields.decode(String.self, forKey: key)
        }
        self.texts = texts
    }
}

/// The logs as they are now.
struct Look: Action {
    /// How many times the logs are not read after a flood.
    static let rest = 2

    let stores: [InspectorState.Seen]

    /// Whether so many entries arrived in a log that hardly any of those in view still are.
    func isFlood(since state: InspectorState) -> Bool {
        stores.contains { seen in
            seen.summary.taken - (state[seen.name]?.summary.taken ?? 0) > 50
        }
    }
}

/// Reports a command that was not performed.
struct Refuse: Action {
    let store: String
    let problem: String
}

/// The inspector as an app: its reducers, what controls the stores, and what watches them.
///
/// - Parameters:
///   - stores: The stores.
///   - apps: The apps that have connected, which own some of the stores.
/// - Returns: The feature.
func inspectorFeature(of stores: StoreList, apps: RemoteApps) -> Feature<InspectorState> {
    Feature {
        Steering(stores: stores)
        Reduce { (state: inout InspectorState, steer: Steer) in
            state.setProblem(nil, of: steer.store)
        }
        Reduce { (state: inout InspectorState, filled: FillIn) in
            state.setProblem(nil, of: filled.store)
        }
        Reduce { (state: inout InspectorState, refuse: Refuse) in
            state.setProblem(refuse.problem, of: refuse.store)
        }
        Reduce { (state: inout InspectorState, look: Look) in
            state.see(look.stores)
        }
        Scope(\.tabs, TabNavigation<Place>(depthLimit: 50))
        While(\.pace) { pace, context in
            context.dispatch(stores.look(for: context.current))
            var rest = 0
            for await _ in context.clock.ticks(every: pace) {
                rest -= 1
                stores.search(for: context.current)
                guard rest < 0, let look = stores.look(since: context.current) else { continue }
                // Nobody can read that much news ten times a second, and it would delay input.
                if look.isFlood(since: context.current) { rest = Look.rest }
                context.dispatch(look)
            }
        }
        While(\.places) { places, context in
            apps.watch(places)
            for await _ in apps.news() { context.dispatch(stores.look(for: context.current)) }
        }
        playing(of: stores)
    }
}

extension InspectorState {
    fileprivate mutating func setProblem(_ problem: String?, of store: String) {
        guard let index = stores.firstIndex(where: { $0.name == store }) else { return }
        stores[index].problem = problem
    }
}

extension StoreList {
    /// The stores as they are now, for what an inspector shows.
    func look(for state: InspectorState) -> Look {
        let showsActivity = state.showsActivity
        let stores = all.map { name, store in
            let log = store.log
            let known = InspectorState.Known(store, withActivity: showsActivity)
            return InspectorState.Seen(
                name: name, log: log, summary: log.summary, actionNames: store.actionNames,
                actionForms: store.actionForms, pages: pages(of: store), columns: columns,
                activity: known.activity,
                lookAtActivity: { store.activity }, notice: known.notice,
                arrivals: known.arrivals, app: (store as? any DistantStore)?.app,
                searchRevision: known.searchRevision)
        }
        return Look(stores: stores)
    }

    /// Goes on with the searches for the shortest tests that an inspector shows.
    ///
    /// A page only shows how far a search is: so a request for a page begins none, and searches end
    /// soon after the last tab that shows them.
    func search(for state: InspectorState) {
        for search in state.searches {
            guard let store = self[search.store] as? any OwnStore,
                let moment = store.log.moment(after: search.entry)
            else { continue }
            _ = store.askForShortestTest(to: moment, keeping: search.path)
        }
    }

    /// The stores as they are now; nil where nothing has changed since.
    func look(since state: InspectorState) -> Look? {
        removeEmpty()
        let (now, known, isWanted) = (all, state.known, state.showsActivity)
        let isSame =
            now.count == known.count
            && now.allSatisfy { name, store in
                known[name] == InspectorState.Known(store, withActivity: isWanted)
            }
        return isSame ? nil : look(for: state)
    }
}

/// Performs commands before the reducers run.
///
/// So whoever dispatched one finds its result in the state.
private struct Steering: Middleware {
    typealias State = InspectorState

    let stores: StoreList

    func handle<A: Action>(
        _ action: A, in context: borrowing MiddlewareContext<InspectorState>
    ) -> DispatchResult {
        switch action {
        case let steer as Steer:
            return handle(action, of: steer.store, in: context) { _ in steer.command }
        case let filled as FillIn:
            return handle(action, of: filled.store, in: context) { store in
                guard let form = store.actionForms.first(where: { $0.name == filled.action }) else {
                    throw InspectorError(.missing, "There is no form for \"\(filled.action)\".")
                }
                return .dispatch(json: try form.json(filled.texts))
            }
        default: return context.next(action)
        }
    }

    private func handle<A: Action>(
        _ action: A, of name: String, in context: borrowing MiddlewareContext<InspectorState>,
        _ command: (any InspectedStore) throws -> InspectorCommand
    ) -> DispatchResult {
        var problem: String?
        do {
            guard let store = stores[name] else {
                throw InspectorError(.missing, "There is no store \"\(name)\".")
            }
            try store.perform(try command(store))
        } catch {
            problem = "\(error)"
        }
        let result = context.next(action)
        context.dispatch(stores.look(for: context.state))
        if let problem { context.dispatch(Refuse(store: name, problem: problem)) }
        return result
    }
}
#endif
