// SPDX-License-Identifier: MIT

public import EntityTables
public import OnwardCore

extension Store {
    /// The value of a selector now.
    ///
    /// Runs on the calling thread. Includes every action whose `dispatch` has returned.
    ///
    /// - Complexity: Reads the inputs and compares them with those remembered; computes the value only
    ///   if they differ.
    public func value<Value>(of selector: Selector<State, Value>) -> Value {
        if let path = selector.path { return engine.read(projection.appending(path)) }
        let input = site.input(selector)
        let result = input.read(engine.copyRoot())
        if let node = input.node { engine.selectors.noteRead(node) }
        return result.value
    }

    /// Tells of changes of what a selector makes of the state; equal values are skipped.
    ///
    /// The selector is computed once for all who subscribed to it, and only after commits that changed
    /// one of its inputs. When the last of them goes, what it computed goes.
    ///
    /// - Parameters:
    ///   - selector: What to read.
    ///   - initially: Whether to call at once with the value at subscription, as old and new.
    ///   - policy: How often to call.
    ///   - isolation: The actor that the caller runs on.
    ///   - body: Called with the last value that this subscriber saw and the new one. A closure
    ///     marked `@MainActor` is called on the main actor, any other by the thread that delivers.
    /// - Returns: The token; letting it go ends the calls.
    @inlinable
    public func subscribe<Value: Equatable & Sendable>(
        _ selector: Selector<State, Value>, initially: Bool = false,
        policy: DeliveryPolicy = .every, isolation: (any Actor)? = #isolation,
        @_inheritActorContext _ body:
            @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        subscribe(
            to: selector, .changes, isSame: Self.equalResults(Value.self),
            Listening(
                initially: initially, policy: policy, actor: body.isolation, here: isolation),
            TypedSubscriber(unmarked(body)))
    }

    /// Tells each time that a selector was computed anew, if its value cannot be compared.
    @inlinable
    public func subscribe<Value: Sendable>(
        _ selector: Selector<State, Value>, initially: Bool = false,
        policy: DeliveryPolicy = .every, isolation: (any Actor)? = #isolation,
        @_inheritActorContext _ body:
            @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        subscribe(
            to: selector, .everyCommit, isSame: Self.sameResults(Value.self),
            Listening(
                initially: initially, policy: policy, actor: body.isolation, here: isolation),
            TypedSubscriber(unmarked(body)))
    }

    /// Tells of changes of what a selector makes of the state on an actor, which the closure gets
    /// isolated.
    ///
    /// The store does not keep the actor alive; when it goes, the calls end.
    @inlinable
    public func subscribe<Value: Equatable & Sendable, Owner: Actor>(
        _ selector: Selector<State, Value>, on owner: Owner, initially: Bool = false,
        policy: DeliveryPolicy = .every, isolation: (any Actor)? = #isolation,
        _ body: @escaping @Sendable (_ owner: isolated Owner, _ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        subscribe(
            to: selector, .changes, isSame: Self.equalResults(Value.self),
            Listening(initially: initially, policy: policy, actor: owner, here: isolation),
            TypedSubscriber { [weak owner] old, new in
                owner?.assumeIsolated { body($0, old, new) }
            })
    }

    /// Tells what changed in a table that a selector makes, for views that show it as a list.
    ///
    /// As ``subscribe(changesOf:policy:isolation:_:)`` for a table in the state.
    ///
    /// - Complexity: O(changes) per commit, after what the selector costs.
    @inlinable
    public func subscribe<Row: Identifiable & Sendable>(
        changesOf selector: Selector<State, EntityTable<Row>>,
        policy: DeliveryPolicy = .every, isolation: (any Actor)? = #isolation,
        @_inheritActorContext _ body:
            @escaping @isolated(any) @Sendable (
                _ changes: EntityChanges<Row.ID>, _ table: EntityTable<Row>
            ) -> Void
    ) -> Subscription where Row.ID: Sendable {
        subscribe(
            to: selector, .everyCommit, isSame: Self.sameResults(EntityTable<Row>.self),
            Listening(initially: false, policy: policy, actor: body.isolation, here: isolation),
            TypedSubscriber<EntityTable<Row>>.telling(unmarked(body)))
    }

    /// How often a selector was computed here and how often it was not; zeros when nobody uses it.
    ///
    /// From any thread.
    public func statistics<Value>(of selector: Selector<State, Value>) -> SelectorStatistics {
        let key = SelectorKey(selector.identity, in: projection)
        let node: SelectorNode<Value>? = engine.selectors.find(key)
        return node?.statistics
            ?? SelectorStatistics(
                origin: selector.origin,
                parameter: selector.identity.parameter.map { String(describing: $0) },
                evaluations: 0, hits: 0)
    }

    /// The selectors that are cached in the whole store now, in no order, for an inspector.
    ///
    /// From any thread.
    ///
    /// - Complexity: O(selectors in use).
    public var selectorStatistics: [SelectorStatistics] {
        engine.selectors.nodes.map(\.statistics)
    }

    private var site: SelectorSite<State> { SelectorSite(projection, engine.selectors) }

    /// Tells a subscriber of what a selector makes.
    @inlinable @inline(__always)
    func subscribe<Value>(
        to selector: Selector<State, Value>, _ kind: GroupKey.Kind, isSame: Change.IsSame?,
        _ options: Listening, _ subscriber: Subscriber
    ) -> Subscription {
        let source = source(selector, kind)
        return engine.subscribe(
            to: source.selection, of: nil, at: nil, key: sharing(source.key), isSame: isSame,
            options, subscriber)
    }

    /// What a selector reads here, without its type, and the key under which its subscribers share it.
    ///
    /// The values that come of it are results: pointers to them are pointers to a
    /// `SelectorResult<Value>`, and so to a `Value`.
    @usableFromInline
    package func source<Value>(
        _ selector: Selector<State, Value>, _ kind: GroupKey.Kind
    ) -> (selection: Selection, key: GroupKey) {
        let input = site.input(selector)
        let type = TypedValue<SelectorResult<Value>>()
        // A property on its own has no node; its groups are those of results, not of the property.
        let key = input.node?.key ?? SelectorKey(selector.identity, in: projection)
        let use = input.node.map { SelectorUse($0, in: engine.selectors) }
        let selection = Selection(
            ranges: input.ranges, type: type, isThere: projection.isThere
        ) { root, target in
            target.initializeMemory(
                as: SelectorResult<Value>.self,
                to: use?.node.result(in: root) ?? input.read(root))
        }
        return (selection, GroupKey(source: .derived(AnyHashable(key)), kind: kind))
    }

    /// The comparison of two results behind pointers.
    @inlinable @inline(__always)
    static func equalResults<Value: Equatable & Sendable>(
        _ type: Value.Type
    ) -> @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
        { left, right in
            isSameEvaluation(type, left, right)
                || left.assumingMemoryBound(to: Value.self).pointee
                    == right.assumingMemoryBound(to: Value.self).pointee
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
