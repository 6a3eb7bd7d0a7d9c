// SPDX-License-Identifier: MIT

extension Store {
    /// Tells of changes of a value in the state; equal values are skipped.
    ///
    /// - Parameters:
    ///   - path: What to read. A stored property is read only when its slice was reduced; a computed
    ///     one, or one behind an optional, each time something inside this store's slice was.
    ///   - initially: Whether to call at once with the value at subscription, as old and new.
    ///   - isolation: The actor that the caller runs on.
    ///   - body: Called with the last value that this subscriber saw and the new one. A closure
    ///     marked `@MainActor` is called on the main actor, any other by the thread that delivers.
    /// - Returns: The token; letting it go ends the calls.
    public func subscribe<Value: Equatable & Sendable>(
        _ path: any KeyPath<State, Value> & Sendable, initially: Bool = false,
        isolation: (any Actor)? = #isolation,
        _ body: @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        listen(
            to: projection.appending(path), key: key(path, skipsRepeats: true), isSame: ==,
            initially: initially, actor: body.isolation, from: isolation, plain(body))
    }

    /// Tells of every commit that may have changed a value which cannot be compared.
    public func subscribe<Value: Sendable>(
        _ path: any KeyPath<State, Value> & Sendable, initially: Bool = false,
        isolation: (any Actor)? = #isolation,
        _ body: @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        listen(
            to: projection.appending(path), key: key(path, skipsRepeats: false), isSame: nil,
            initially: initially, actor: body.isolation, from: isolation, plain(body))
    }

    /// Tells of changes of a value in the state on an actor, which the closure gets isolated.
    ///
    /// The store does not keep the actor alive; when it goes, the calls end.
    public func subscribe<Value: Equatable & Sendable, Owner: Actor>(
        _ path: any KeyPath<State, Value> & Sendable, on owner: Owner, initially: Bool = false,
        isolation: (any Actor)? = #isolation,
        _ body: @escaping @Sendable (_ owner: isolated Owner, _ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        listen(
            to: projection.appending(path), key: key(path, skipsRepeats: true), isSame: ==,
            initially: initially, actor: owner, from: isolation
        ) { [weak owner] old, new in
            owner?.assumeIsolated { body($0, old, new) }
        }
    }

    /// Tells of changes of what a closure makes of the state.
    ///
    /// - Complexity: the closure runs, outside the lock, after every commit inside this store's
    ///   slice, on a copy of the root state's struct. A key path to a stored property costs less.
    public func subscribe<Value: Equatable & Sendable>(
        selecting select: @escaping @Sendable (State) -> Value, initially: Bool = false,
        isolation: (any Actor)? = #isolation,
        _ body: @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        listen(
            to: projection.selecting(select), key: nil, isSame: ==, initially: initially,
            actor: body.isolation, from: isolation, plain(body))
    }

    /// Tells of changes of what a closure makes of the state, by a comparison of your own.
    ///
    /// - Parameters:
    ///   - select: What to read.
    ///   - isSame: Whether two values are the same, so that the second one is skipped.
    ///   - initially: Whether to call at once with the value at subscription, as old and new.
    ///   - isolation: The actor that the caller runs on.
    ///   - body: Called with the last value that this subscriber saw and the new one.
    /// - Returns: The token; letting it go ends the calls.
    public func subscribe<Value: Sendable>(
        selecting select: @escaping @Sendable (State) -> Value,
        skippingRepeatsBy isSame: @escaping @Sendable (Value, Value) -> Bool,
        initially: Bool = false, isolation: (any Actor)? = #isolation,
        _ body: @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        listen(
            to: projection.selecting(select), key: nil, isSame: isSame, initially: initially,
            actor: body.isolation, from: isolation, plain(body))
    }

    private func listen<Value: Sendable>(
        to projection: Projection<Value>, key: GroupKey?,
        isSame: (@Sendable (Value, Value) -> Bool)?, initially: Bool, actor: (any Actor)?,
        from here: (any Actor)?, _ body: @escaping @Sendable (Value, Value) -> Void
    ) -> Subscription {
        engine.subscribe(
            to: projection, key: key, isSame: isSame, initially: initially, actor: actor,
            from: here, body)
    }

    /// What others may share; nil in a store whose own value is computed, as nothing tells that
    /// computation from another one.
    private func key<Value>(
        _ path: any KeyPath<State, Value> & Sendable, skipsRepeats: Bool
    ) -> GroupKey? {
        guard projection.derive == nil else { return nil }
        let value = projection.appending(path)
        let source: GroupKey.Source =
            value.derive == nil
            ? .field(offset: value.offset, type: ObjectIdentifier(Value.self))
            : .path(path, from: projection.offset)
        return GroupKey(source: source, skipsRepeats: skipsRepeats)
    }

    /// The closure without its mark of isolation, to be called where that isolation holds.
    ///
    /// A closure marked `@isolated(any)` differs from a plain one only in what the compiler says
    /// about callers; it cannot be called synchronously, even where the engine knows that it runs on
    /// the right actor.
    private func plain<Value>(
        _ body: @escaping @isolated(any) @Sendable (Value, Value) -> Void
    ) -> @Sendable (Value, Value) -> Void {
        unsafeBitCast(body, to: (@Sendable (Value, Value) -> Void).self)
    }
}
