// SPDX-License-Identifier: MIT

/// The features of a store, compiled: routes by action type, and the middleware chain.
final class Program: Sendable {
    /// The routes without answers by effects or bystanders, which an action may go the plain way.
    let routes: RouteTable
    /// The other routes; apart, so that the plain way need not ask.
    private let carefulRoutes: RouteTable
    /// For types that nobody registered; nil without a reducer of every action.
    let fallback: Route?
    let stages: Stages
    let actions: ActionRegistry
    /// The effects that pieces of state keep alive.
    let whiles: [any WhilePart]

    /// Compiles parts and reports what is wrong with them.
    convenience init<State: Sendable>(
        for type: State.Type, _ parts: [any Part<State>], _ misuse: MisuseHandler
    ) {
        let draft = ProgramDraft()
        var registration = Registration<State>(draft: draft, place: .root(State.self))
        for part in parts { part.register(in: &registration) }
        for mistake in draft.misuses + draft.misplacedInterceptions { misuse(mistake) }
        self.init(draft)
    }

    private init(_ draft: ProgramDraft) {
        let any = draft.anyHandlers
        let all = draft.types.map { type in
            let handlers = draft.handlers[ObjectIdentifier(type)] ?? []
            let interceptions = draft.interceptions[ObjectIdentifier(type)] ?? []
            return Route(
                type: type, handlers: (handlers + any).sorted { $0.order < $1.order },
                interceptions: interceptions,
                bystanders: Bystanders(among: handlers, interceptions),
                reactions: draft.reactions[ObjectIdentifier(type)] ?? [])
        }
        routes = RouteTable(all.filter { !$0.needsCare })
        carefulRoutes = RouteTable(all.filter(\.needsCare))
        fallback = any.isEmpty ? nil : Route(type: Travel.self, handlers: any)
        stages = Stages(draft.stages)
        actions = ActionRegistry(types: draft.types)
        whiles = draft.whiles
    }

    deinit {
        routes.destroy()
        carefulRoutes.destroy()
        stages.destroy()
    }

    /// Who handles a type of action.
    func route(for type: any Action.Type) -> Route? {
        (routes.find(type) ?? carefulRoutes.find(type))?.takeUnretainedValue() ?? fallback
    }

    /// The state after one more action, outside any store: no middleware, no observer, no effect.
    func reduce(_ state: UnsafeMutableRawPointer, _ action: any Action, to address: Address) {
        func open<A: Action>(_ action: A) {
            withUnsafePointer(to: action) { pointer in
                _ = route(for: A.self)?.reduce(
                    state, UnsafeRawPointer(pointer), as: A.self, to: address)
            }
        }
        open(action)
    }
}

/// The features of a store while they register.
final class ProgramDraft {
    private(set) var types: [any Action.Type] = []
    private(set) var handlers: [ObjectIdentifier: [Handler]] = [:]
    private(set) var anyHandlers: [Handler] = []
    private(set) var stages: [MiddlewareStage] = []
    private(set) var interceptions: [ObjectIdentifier: [Interception]] = [:]
    private(set) var reactions: [ObjectIdentifier: [Reaction]] = [:]
    private(set) var whiles: [any WhilePart] = []
    private(set) var misuses: [Misuse] = []
    private var names: [String: any Action.Type] = [:]
    /// The key paths of scopes.
    private var scopes: [[PlaceStep]: String] = [:]
    /// Which features stand where.
    private var features: [[PlaceStep]: Set<ObjectIdentifier>] = [:]
    /// Where something is listed twice; what lies inside is so, too.
    private var repeated: [[PlaceStep]] = []
    private var count = 0

    /// The position of the next part.
    func nextOrder() -> Int {
        count += 1
        return count
    }

    func add(_ handler: Handler, for type: any Action.Type) {
        handlers[claim(type), default: []].append(handler)
    }

    func add(_ handler: Handler) {
        anyHandlers.append(handler)
    }

    func add(_ reaction: Reaction, for type: any Action.Type) {
        reactions[claim(type), default: []].append(reaction)
    }

    func add(_ interception: Interception, for type: any Action.Type) {
        interceptions[claim(type), default: []].append(interception)
    }

    func add(_ part: any WhilePart) {
        whiles.append(part)
    }

    func add(_ stage: MiddlewareStage) {
        stages.append(stage)
    }

    /// The address step of a scope: the given name, or the text of a stored key path.
    func name(of path: AnyKeyPath, given: String?) -> String {
        if let given { return given }
        let text = "\(path)"
        let name = text.split(separator: ".", maxSplits: 1).last.map(String.init) ?? text
        if name.contains("<") { misuses.append(.unnamedScope(text)) }
        return name
    }

    /// Notes a scope, whose name must mean one slice.
    func noteScope(_ place: Place, at path: AnyKeyPath) {
        let text = "\(path)"
        let first = scopes[place.steps] ?? text
        scopes[place.steps] = text
        guard first != text else { return }
        repeated.append(place.steps)
        misuses.append(.repeatedScope(place.steps.text, first, text))
    }

    /// Notes a feature, which a place should have once.
    func note(_ feature: FeatureIdentity, at place: Place) {
        let isNew = features[place.steps, default: []].insert(ObjectIdentifier(feature)).inserted
        guard !isNew, !repeated.contains(where: place.steps.starts) else { return }
        repeated.append(place.steps)
        misuses.append(.repeatedFeature(place.steps.text))
    }

    /// What is wrong with those who answer the actions of a child: that they never will.
    ///
    /// Actions that nobody else handles are meant for the one who answers. They may well be.
    var misplacedInterceptions: [Misuse] {
        types.flatMap { type -> [Misuse] in
            let key = ObjectIdentifier(type)
            let handled =
                (handlers[key] ?? []).map(\.place.steps) + (reactions[key] ?? []).map(\.place.steps)
            return (interceptions[key] ?? []).compactMap { interception in
                let child = interception.child.steps
                guard scopes[child] != nil else {
                    return .interceptWithoutScope(
                        type.actionName, child.text, scopes: scopes.keys.map(\.text).sorted())
                }
                guard !handled.contains(child) else { return nil }
                let inner = handled.filter { $0.starts(with: child) }.map(\.text)
                return inner.first.map { .interceptOfInner(type.actionName, child.text, inner: $0) }
            }
        }
    }

    /// Notes a type, whose name must mean no other; returns the key of who handles it.
    private func claim(_ type: any Action.Type) -> ObjectIdentifier {
        let key = ObjectIdentifier(type)
        guard handlers[key] == nil, reactions[key] == nil, interceptions[key] == nil else {
            return key
        }
        types.append(type)
        let name = type.actionName
        if let first = names[name] {
            misuses.append(
                .nameClash(name, String(reflecting: first), String(reflecting: type)))
        } else {
            names[name] = type
        }
        return key
    }
}
