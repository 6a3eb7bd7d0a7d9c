// SPDX-License-Identifier: MIT

public import OnwardCore

/// A place of a store where selectors are put to work.
@usableFromInline
struct SelectorSite<State: Sendable>: Sendable {
    package let getter: Getter<State>
    let cache: SelectorCache
    /// The selectors whose inputs are being put to work here, outermost first.
    private var path: [SelectorKey] = []
    /// Whether what the selectors are made of has been put to work.
    private var isPrepared = false

    /// How deep selectors may be put to work by selectors, as families make them only then.
    ///
    /// Each takes a piece of the stack, of which a thread may have half a megabyte.
    static var longestPath: Int { 32 }

    init(_ getter: Getter<State>, _ cache: SelectorCache) {
        self.getter = getter
        self.cache = cache
    }

    /// A selector as an input.
    @usableFromInline
    func input<Value>(_ selector: StateSelector<State, Value>) -> BoundInput<Value> {
        bind(selector, as: selector.identity)
    }

    /// Puts a selector to work, under a name.
    ///
    /// Where that is deep, what it is made of comes first, from the bottom up, which takes a list and no
    /// stack.
    private func bind<Value>(
        _ selector: StateSelector<State, Value>, as identity: SelectorIdentity
    ) -> BoundInput<Value> {
        guard !isPrepared, selector.depth > AnySelectorNode.nesting else {
            return selector.bind(self, identity)
        }
        let known: SelectorNode<Value>? = cache.find(SelectorKey(identity, in: getter))
        if let known { return BoundInput(known) }
        if selector.depth > AnySelector<State>.greatestDepth {
            stop(.selectorsTooDeep(selector.origin, identity.parameter, selector.depth))
        }
        var prepared = self
        prepared.isPrepared = true
        var nodes: [AnySelectorNode?] = []
        var seen: Set<ObjectIdentifier> = []
        var path = selector.inputs.map { (selector: $0, next: 0) }
        while let (selector, next) = path.last {
            if next == 0, !seen.insert(selector.mark).inserted {
                path.removeLast()
            } else if next < selector.inputs.count {
                path[path.count - 1].next += 1
                path.append((selector.inputs[next], 0))
            } else {
                path.removeLast()
                nodes.append(selector.node(prepared))
            }
        }
        return withExtendedLifetime(nodes) { selector.bind(prepared, identity) }
    }

    /// A selector that computes: the node that is there, or a new one.
    @usableFromInline
    func node<Value>(
        _ selector: SelectorIdentity, _ origin: ActionOrigin,
        make: (SelectorSite, SelectorRegistration) -> SelectorNode<Value>
    ) -> BoundInput<Value> {
        let key = SelectorKey(selector, in: getter)
        if let node: SelectorNode<Value> = cache.find(key) { return BoundInput(node) }
        var inner = self
        if path.last != key { inner.enter(key, origin) }
        let registration = SelectorRegistration(key: key, origin: origin, cache: cache)
        return BoundInput(cache.add(make(inner, registration)))
    }

    /// A member of a family: the node that is there, or what `body` says the member is.
    func member<Value>(
        _ member: SelectorIdentity, _ origin: ActionOrigin,
        _ body: () -> StateSelector<State, Value>
    ) -> BoundInput<Value> {
        let key = SelectorKey(member, in: getter)
        if let node: SelectorNode<Value> = cache.find(key) { return BoundInput(node) }
        if path.contains(key) {
            stop(.selectorOfItself(origin, member.parameter))
        }
        var inner = self
        inner.enter(key, origin)
        inner.isPrepared = false
        // The selector works under the name of the member, so that it is found again.
        return inner.bind(body(), as: member)
    }

    /// Stops where selectors lead to selectors without an end in sight.
    private mutating func enter(_ key: SelectorKey, _ origin: ActionOrigin) {
        if path.count == Self.longestPath {
            stop(.selectorsTooDeep(origin, key.selector.parameter, path.count + 1))
        }
        path.append(key)
    }

    /// Reports a mistake after which there is no value to go on with.
    private func stop(_ mistake: ProgrammerError) -> Never {
        cache.onProgrammerError(mistake)
        preconditionFailure(mistake.description)
    }
}
