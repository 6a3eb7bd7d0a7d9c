// SPDX-License-Identifier: MIT

/// Collects the features of a store while they register.
package final class FeatureCompiler {
    /// Those of the store.
    package let options: StoreOptions
    private(set) var types: [any Action.Type] = []
    private(set) var handlers: [ObjectIdentifier: [Handler]] = [:]
    private(set) var anyHandlers: [Handler] = []
    private(set) var stages: [AnyMiddleware] = []
    private(set) var childReducers: [ObjectIdentifier: [ChildReducer]] = [:]
    private(set) var responders: [ObjectIdentifier: [Responder]] = [:]
    package private(set) var extensions: [any FeatureExtension] = []
    private(set) var checkers: [ObjectIdentifier: [Checker]] = [:]
    private(set) var refusalObservers: [RefusalObserver] = []
    private var reasons: [String: any RefusalReason.Type] = [:]
    private(set) var beginnings: [Beginning] = []
    private(set) var mistakes: [ProgrammerError] = []
    /// The key paths of scopes whose text is no name: another build or run would have another one.
    private(set) var unnamedScopes: [String] = []
    private var names: [String: any Action.Type] = [:]
    /// The key paths of scopes.
    private var scopes: [[PathStep]: String] = [:]
    /// Which features stand where.
    private var features: [[PathStep]: [FeatureIdentity]] = [:]
    /// How rows are found by texts, by where they are.
    private(set) var rows: [[PathStep]: any RowLookup] = [:]
    /// Where something is listed twice; what lies inside is listed twice, too.
    private var repeated: [[PathStep]] = []
    private var count = 0

    init(for options: StoreOptions = StoreOptions()) {
        self.options = options
    }

    /// The position of the next part.
    package func nextOrder() -> Int {
        count += 1
        return count
    }

    func add(_ handler: Handler, for type: any Action.Type) {
        handlers[claim(type), default: []].append(handler)
    }

    func add(_ handler: Handler) {
        anyHandlers.append(handler)
    }

    package func add(_ responder: Responder, for type: any Action.Type) {
        responders[claim(type), default: []].append(responder)
    }

    func add(_ childReducer: ChildReducer, for type: any Action.Type) {
        childReducers[claim(type), default: []].append(childReducer)
    }

    func add(_ checker: Checker, for type: any Action.Type, reason: any RefusalReason.Type) {
        checkers[claim(type), default: []].append(checker)
        let name = reason.reasonName
        let first = reasons[name] ?? reason
        reasons[name] = first
        if first != reason {
            mistakes.append(
                .reasonClash(name, String(reflecting: first), String(reflecting: reason)))
        }
    }

    func add(_ observer: RefusalObserver) {
        refusalObservers.append(observer)
    }

    package func add(_ featureExtension: any FeatureExtension) {
        extensions.append(featureExtension)
    }

    func add(_ beginning: Beginning) {
        beginnings.append(beginning)
    }

    func add(_ stage: AnyMiddleware) {
        stages.append(stage)
    }

    /// Notes a mistake in how features are put together, which is reported when all have registered.
    package func note(_ mistake: ProgrammerError) {
        mistakes.append(mistake)
    }

    /// The address step of a scope: the given name, or the text of a stored key path.
    func name(of path: AnyKeyPath, given: String?) -> String {
        if let given { return given }
        let text = "\(path)"
        let name = text.split(separator: ".", maxSplits: 1).last.map(String.init) ?? text
        if !Self.isLasting(name) {
            unnamedScopes.append(text)
            mistakes.append(.unnamedScope(text))
        }
        return name
    }

    /// Whether the text of a key path is the same in each build and each run, and no other slice has it.
    ///
    /// A computed property shows the address of its code, any property shows its offset in a program that was built
    /// without reflection metadata, what lies behind an optional ends in a mark that nobody wrote, and all elements
    /// of a tuple without labels look alike.
    private static func isLasting(_ name: String) -> Bool {
        !name.contains("<") && !name.contains("?") && !name.contains("..") && !name.hasSuffix(".")
    }

    /// Notes a scope, whose name must mean only one slice.
    func noteScope(_ lens: SliceLens, at path: AnyKeyPath) {
        rows[lens.steps] = lens.rowLookup
        let text = "\(path)"
        let first = scopes[lens.steps] ?? text
        scopes[lens.steps] = text
        guard first != text else { return }
        repeated.append(lens.steps)
        mistakes.append(.repeatedScope(lens.steps.text, first, text))
    }

    /// Notes a feature, which a place should have only once.
    func note(_ feature: FeatureIdentity, at lens: SliceLens) {
        let known = features[lens.steps, default: []]
        guard known.contains(where: { $0 === feature }) else {
            // Kept, or the identity of a feature that is made while it registers would be given to the next one.
            features[lens.steps] = known + [feature]
            return
        }
        guard !repeated.contains(where: lens.steps.starts) else { return }
        repeated.append(lens.steps)
        mistakes.append(.repeatedFeature(lens.steps.text))
    }

    /// What is wrong with parts that are to answer the actions of a child: that they never
    /// will.
    ///
    /// Actions that no other part handles are meant for the part that answers them. They may
    /// well come.
    var misplacedChildReducers: [ProgrammerError] {
        types.flatMap { type -> [ProgrammerError] in
            let key = ObjectIdentifier(type)
            let handled =
                (handlers[key] ?? []).map(\.lens.steps)
                + (responders[key] ?? []).map(\.lens.steps)
            return (childReducers[key] ?? []).compactMap { childReducer in
                let child = childReducer.child.steps
                guard scopes[child] != nil else {
                    return .childReducerWithoutScope(
                        type.actionName, child.text, scopes: scopes.keys.map(\.text).sorted())
                }
                guard !handled.contains(child) else { return nil }
                let inner = handled.filter { $0.starts(with: child) }.map(\.text)
                return inner.first.map {
                    .childReducerOfInner(type.actionName, child.text, inner: $0)
                }
            }
        }
    }

    /// Cases of actions whose fields can't all have the names that they should have in logs and on the wire.
    ///
    /// - Complexity: O(types, their cases and fields).
    var fieldClashes: [ProgrammerError] {
        types.lazy.compactMap { $0 as? any (Action & Decodable).Type }
            .flatMap { FieldClash.all(in: $0) }.map { .fieldClash($0) }
    }

    /// Notes a type, whose name must not mean another; returns the key of its handlers.
    private func claim(_ type: any Action.Type) -> ObjectIdentifier {
        let key = ObjectIdentifier(type)
        guard handlers[key] == nil, responders[key] == nil, childReducers[key] == nil,
            checkers[key] == nil
        else {
            return key
        }
        types.append(type)
        let name = type.actionName
        if let first = names[name] {
            mistakes.append(
                .nameClash(name, String(reflecting: first), String(reflecting: type)))
        } else {
            names[name] = type
        }
        return key
    }
}
