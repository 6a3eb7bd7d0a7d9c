// SPDX-License-Identifier: MIT

public import OnwardCore

/// A place of a store where selectors are put to work.
@usableFromInline
struct SelectorSite<State: Sendable>: Sendable {
    package let getter: Getter<State>
    let cache: SelectorCache
    /// The selectors whose inputs are being put to work here, outermost first.
    private var path: [SelectorKey] = []

    init(_ getter: Getter<State>, _ cache: SelectorCache) {
        self.getter = getter
        self.cache = cache
    }

    /// A selector as an input.
    @usableFromInline
    func input<Value>(_ selector: Selector<State, Value>) -> BoundInput<Value> {
        selector.bind(self, selector.identity)
    }

    /// A selector that computes: the node that is there, or a new one.
    @usableFromInline
    func node<Value>(
        _ selector: SelectorIdentity, _ origin: Origin,
        make: (SelectorSite, SelectorRegistration) -> SelectorNode<Value>
    ) -> BoundInput<Value> {
        let key = SelectorKey(selector, in: getter)
        if let node: SelectorNode<Value> = cache.find(key) { return BoundInput(node) }
        var inner = self
        if path.last != key { inner.path.append(key) }
        let registration = SelectorRegistration(key: key, origin: origin, cache: cache)
        return BoundInput(cache.add(make(inner, registration)))
    }

    /// A member of a family: the node that is there, or what `body` says the member is.
    func member<Value>(
        _ member: SelectorIdentity, _ origin: Origin, _ body: () -> Selector<State, Value>
    ) -> BoundInput<Value> {
        let key = SelectorKey(member, in: getter)
        if let node: SelectorNode<Value> = cache.find(key) { return BoundInput(node) }
        if path.contains(key) {
            let mistake = Misuse.selectorOfItself(origin, member.parameter)
            cache.misuse(mistake)
            preconditionFailure(mistake.description)
        }
        var inner = self
        inner.path.append(key)
        // The selector works under the name of the member, so that it is found again.
        return body().bind(inner, member)
    }
}
