// SPDX-License-Identifier: MIT

public import EntityTables
public import OnwardCore

extension Store {
    /// The value of a selector, now.
    @usableFromInline
    package func read<Value>(_ selector: StateSelector<State, Value>) -> Value {
        if let path = selector.path { return read(path) }
        let input = site.input(selector)
        let result = input.read(engine.copyRoot())
        if let node = input.node { engine.selectors.noteRead(node, of: selector.life) }
        return result.value
    }

    private var site: SelectorSite<State> { SelectorSite(getter, engine.selectors) }

    /// Notifies a subscriber of what a selector makes.
    @inlinable @inline(__always)
    package func subscribe<Value>(
        to selector: StateSelector<State, Value>, _ kind: GroupKey.Kind, isSame: Change.IsSame?,
        _ options: Listening, _ subscriber: Subscriber
    ) -> Subscription {
        let source = source(selector, kind)
        return engine.subscribe(
            to: source.getter, of: nil, at: nil, key: sharing(source.key), isSame: isSame,
            options, subscriber)
    }

    /// What a selector reads here, without its type, and the key under which its subscribers share it.
    ///
    /// The values that come of it are results: pointers to them are pointers to a
    /// `SelectorResult<Value>`, and so to a `Value`.
    @usableFromInline
    package func source<Value>(
        _ selector: StateSelector<State, Value>, _ kind: GroupKey.Kind
    ) -> (getter: AnyGetter, key: GroupKey) {
        let input = site.input(selector)
        let type = TypedValue<SelectorResult<Value>>()
        // A property on its own has no node; its groups are those of results, not of the property.
        let name =
            input.node.map { SelectorName($0) }
            ?? SelectorName(property: selector.identity, in: self.getter)
        let use = input.node.map { SelectorUse($0, in: engine.selectors) }
        let getter = AnyGetter(
            ranges: input.ranges, type: type, isThere: self.getter.isThere
        ) { root, target in
            target.initializeMemory(
                as: SelectorResult<Value>.self,
                to: use?.node.result(in: root) ?? input.read(root))
        }
        return (getter, GroupKey(source: .derived(AnyHashable(name)), kind: kind))
    }

    /// The comparison of two results behind pointers.
    @inlinable @inline(__always)
    static func equalResults<Value: Equatable & Sendable>(
        _ type: Value.Type
    ) -> @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
        { left, right in
            isSameEvaluation(type, left, right)
                || isUnchanged(
                    at: left.assumingMemoryBound(to: Value.self),
                    right.assumingMemoryBound(to: Value.self))
        }
    }

    /// The comparison of two results that are tables.
    @inlinable @inline(__always)
    static func unchangedResults<Row: Identifiable & Sendable>(
        _ type: Row.Type
    ) -> @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool where Row.ID: Sendable {
        let isUnchanged = unchanged(type)
        return { left, right in
            isSameEvaluation(EntityTable<Row>.self, left, right) || isUnchanged(left, right)
        }
    }

    /// The comparison of two results whose values cannot be compared.
    @inlinable @inline(__always)
    static func sameResults<Value: Sendable>(
        _ type: Value.Type
    ) -> @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
        { left, right in isSameEvaluation(type, left, right) }
    }

    @usableFromInline
    static func isSameEvaluation<Value: Sendable>(
        _ type: Value.Type, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer
    ) -> Bool {
        let left = left.assumingMemoryBound(to: SelectorResult<Value>.self).pointee.evaluation
        let right = right.assumingMemoryBound(to: SelectorResult<Value>.self).pointee.evaluation
        return left != 0 && left == right
    }
}
