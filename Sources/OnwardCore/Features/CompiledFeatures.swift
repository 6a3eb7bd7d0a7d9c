// SPDX-License-Identifier: MIT

/// The features of a store, compiled: routes by action type, and the middleware chain.
package final class CompiledFeatures: Sendable {
    /// The routes that an action may go the plain way.
    let routes: RouteTable
    /// Those with more to do; apart, so that the plain way need not ask.
    private let carefulRoutes: RouteTable
    /// For types that no feature registered; nil without a reducer of every action.
    let fallback: Route?
    let stages: Stages
    let actions: ActionRegistry
    let refusalObservers: [RefusalObserver]
    /// How rows are found by texts, by where they are.
    let rows: [[PathStep]: any RowLookup]
    /// The key paths of scopes that have no lasting name.
    let unnamedScopes: [String]
    /// What layers above the core find here.
    package let extensions: [any FeatureExtension]
    /// What changes the state that a store begins with.
    private let beginnings: [Beginning]

    /// Compiles parts and reports what is wrong with them; `end` is what an action meets behind the last
    /// middleware, or at once where there are to be none.
    convenience init<State: Sendable>(
        for type: State.Type, _ parts: [any Part<State>], _ options: StoreOptions,
        end: some Middleware<Void>, withMiddlewares hasStages: Bool = true
    ) {
        let compiler = FeatureCompiler(for: options)
        var registration = Registration<State>(compiler: compiler, lens: .root(State.self))
        for part in parts { part.register(in: &registration) }
        for mistake in compiler.mistakes + compiler.misplacedChildReducers + compiler.fieldClashes {
            options.report(mistake)
        }
        self.init(compiler, hasStages ? compiler.stages : [], end: end)
    }

    private init(
        _ compiler: FeatureCompiler, _ middlewares: [AnyMiddleware], end: some Middleware<Void>
    ) {
        let any = compiler.anyHandlers
        let all = compiler.types.map { type in
            let handlers = compiler.handlers[ObjectIdentifier(type)] ?? []
            let childReducers = compiler.childReducers[ObjectIdentifier(type)] ?? []
            let responders = compiler.responders[ObjectIdentifier(type)] ?? []
            let parts =
                handlers.filter { $0.turn == .inOrder }.map { ($0.lens, $0.slice) }
                + responders.map { ($0.lens, $0.slice) }
            return Route(
                type: type, handlers: (handlers + any).sorted { $0.order < $1.order },
                childReducers: childReducers,
                bypassedReducers: BypassedReducers(among: parts, childReducers),
                responders: responders, checkers: compiler.checkers[ObjectIdentifier(type)] ?? [])
        }
        if all.contains(where: \.asksForStamp) { ActionAuthor.noteUse() }
        routes = RouteTable(all.filter { !$0.needsCare })
        carefulRoutes = RouteTable(all.filter(\.needsCare))
        fallback = any.isEmpty ? nil : Route(type: Travel.self, handlers: any)
        stages = Stages(middlewares, end: end)
        actions = ActionRegistry(
            types: compiler.types,
            stamped: Set(all.filter(\.asksForStamp).map { $0.type.actionName }))
        refusalObservers = compiler.refusalObservers
        rows = compiler.rows
        unnamedScopes = compiler.unnamedScopes
        extensions = compiler.extensions
        beginnings = compiler.beginnings
    }

    deinit {
        routes.destroy()
        carefulRoutes.destroy()
        stages.destroy()
    }

    /// The state that a store begins with, of the one that it is given.
    func begin<State>(with state: State) -> State {
        guard !beginnings.isEmpty else { return state }
        var state = state
        withUnsafeMutablePointer(to: &state) { pointer in
            for beginning in beginnings { beginning.run(in: UnsafeMutableRawPointer(pointer)) }
        }
        return state
    }

    /// The features that handle a type of action.
    func route(for type: any Action.Type) -> Route? {
        (routes.find(type) ?? carefulRoutes.find(type))?.takeUnretainedValue() ?? fallback
    }

    /// Why a check refuses an action in a state, outside any store; nil if none does.
    func failure(
        of action: some Action, on state: UnsafeRawPointer, to address: Address
    ) -> CheckFailure? {
        guard let route = route(for: type(of: action)) else { return nil }
        return Dispatch.with(action, to: address, from: ActionOrigin(), on: nil) {
            route.failure(in: state, $0)
        }
    }

    /// The state after one more action, outside any store: no middleware, no observer, no responder.
    ///
    /// `stamp` is what the action was given; asked for where a reducer does.
    ///
    /// - Returns: Whether a reducer took it, and if not, why.
    func reduce(
        _ state: UnsafeMutableRawPointer, _ action: some Action, to address: Address,
        stamp: @autoclosure () -> Stamp
    ) -> Route.Outcome {
        guard let route = route(for: type(of: action)) else { return .unhandled }
        let stamp = route.asksForStamp ? stamp() : nil
        // No reducer knows where an action comes from.
        return Dispatch.with(action, to: address, from: ActionOrigin(), on: nil) {
            route.reduce(state, $0, stamp)
        }
    }
}

/// The reducers and answers of a type of action in parents of the feature whose action it is, as long as none of
/// them has run.
///
/// Problem: a `Reduce` or an `OnAction` of the parent for its child's type of action compiles, and silently never runs
/// for what is addressed to the child. But it looks like one that is intended: an action such as "reset"
/// may be handled by parents and children, and be sent to a child alone.
///
/// Strategy: report only what is hardly ever intended. A type that two kinds of state handle, one of
/// which contains the other, belongs to the inner one. (A type that more kinds handle is shared. A
/// feature inside itself is of one kind.) A parent with a reducer of the child for the type knows what it does. And a
/// parent whose reducer has run is sent such actions, so it need not be sent all of them. Each is
/// reported once.
struct BypassedReducers {
    /// Where they are.
    private(set) var lenses: [SliceLens]

    /// Those among the reducers, answers and childReducers of one type.
    init(among parts: [(lens: SliceLens, slice: any Any.Type)], _ childReducers: [ChildReducer]) {
        typealias Part = (lens: SliceLens, slice: any Any.Type)
        let kinds = Set(parts.map { ObjectIdentifier($0.slice) })
        guard kinds.count == 2 else {
            lenses = []
            return
        }
        func isParent(_ part: Part, of other: Part) -> Bool {
            part.slice != other.slice && part.lens.steps.count < other.lens.steps.count
                && other.lens.steps.starts(with: part.lens.steps)
        }
        let parents = parts.filter { part in parts.contains { isParent(part, of: $0) } }
        let isNested = parents.contains { parent in
            parts.contains { child in
                child.slice == parent.slice && parts.contains { isParent($0, of: child) }
            }
        }
        let aware = Set(childReducers.map(\.lens.steps))
        lenses = isNested ? [] : parents.map(\.lens).filter { !aware.contains($0.steps) }
    }

    /// Notes which features an action reached; returns the way to a parent that it bypassed.
    mutating func note(_ address: Address) -> [PathStep]? {
        lenses.removeAll { address.includes($0.steps) }
        let passed = lenses.firstIndex {
            $0.steps.count < address.components.count && $0.isOnTheWay(of: address)
        }
        return passed.map { index in
            let steps = lenses[index].steps
            lenses.removeAll { $0.steps == steps }
            return steps
        }
    }
}

/// Changes a slice of the state that a store begins with.
struct Beginning: Sendable {
    private let lens: SliceLens
    private let body: @Sendable (UnsafeMutableRawPointer) -> Void

    init<Slice>(at lens: SliceLens, _ body: @escaping @Sendable (inout Slice) -> Void) {
        self.lens = lens
        self.body = { body(&$0.assumingMemoryBound(to: Slice.self).pointee) }
    }

    /// Changes each instance of the slice that is there.
    func run(in root: UnsafeMutableRawPointer) { _ = lens.reach(in: root, .root, body) }
}
