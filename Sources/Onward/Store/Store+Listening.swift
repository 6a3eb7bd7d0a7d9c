// SPDX-License-Identifier: MIT

extension Store {
    /// Tells of changes of a value in the state; equal values are skipped.
    ///
    /// - Parameters:
    ///   - path: What to read. A stored property is read only when its slice was reduced; a computed
    ///     one, or one behind an optional, each time something inside this store's slice was.
    ///   - initially: Whether to call at once with the value at subscription, as old and new.
    ///   - policy: How often to call.
    ///   - isolation: The actor that the caller runs on.
    ///   - body: Called with the last value that this subscriber saw and the new one. A closure
    ///     marked `@MainActor` is called on the main actor, any other by the thread that delivers.
    /// - Returns: The token; letting it go ends the calls.
    @inlinable
    public func subscribe<Value: Equatable & Sendable>(
        _ path: any KeyPath<State, Value> & Sendable, initially: Bool = false,
        policy: DeliveryPolicy = .every, isolation: (any Actor)? = #isolation,
        _ body: @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        engine.subscribe(
            to: selection(path), key: key(path, .changes), isSame: Self.equal(Value.self),
            Listening(
                initially: initially, policy: policy, actor: body.isolation, here: isolation),
            untyped(isolated: body))
    }

    /// Tells of every commit that may have changed a value which cannot be compared.
    @inlinable
    public func subscribe<Value: Sendable>(
        _ path: any KeyPath<State, Value> & Sendable, initially: Bool = false,
        policy: DeliveryPolicy = .every, isolation: (any Actor)? = #isolation,
        _ body: @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        engine.subscribe(
            to: selection(path), key: key(path, .everyCommit), isSame: nil,
            Listening(
                initially: initially, policy: policy, actor: body.isolation, here: isolation),
            untyped(isolated: body))
    }

    /// Tells of changes of a value in the state on an actor, which the closure gets isolated.
    ///
    /// The store does not keep the actor alive; when it goes, the calls end.
    @inlinable
    public func subscribe<Value: Equatable & Sendable, Owner: Actor>(
        _ path: any KeyPath<State, Value> & Sendable, on owner: Owner, initially: Bool = false,
        policy: DeliveryPolicy = .every, isolation: (any Actor)? = #isolation,
        _ body: @escaping @Sendable (_ owner: isolated Owner, _ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        engine.subscribe(
            to: selection(path), key: key(path, .changes), isSame: Self.equal(Value.self),
            Listening(initially: initially, policy: policy, actor: owner, here: isolation),
            untyped { [weak owner] old, new in
                owner?.assumeIsolated { body($0, old, new) }
            })
    }

    /// Tells of changes of what a closure makes of the state.
    ///
    /// - Complexity: the closure runs, outside the lock, after every commit inside this store's
    ///   slice, on a copy of the root state's struct. A key path to a stored property costs less.
    @inlinable
    public func subscribe<Value: Equatable & Sendable>(
        selecting select: @escaping @Sendable (State) -> Value, initially: Bool = false,
        policy: DeliveryPolicy = .every, isolation: (any Actor)? = #isolation,
        _ body: @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        subscribe(
            selecting: select, skippingRepeatsBy: { $0 == $1 }, initially: initially,
            policy: policy, isolation: isolation, body)
    }

    /// Tells of changes of what a closure makes of the state, by a comparison of your own.
    ///
    /// - Parameters:
    ///   - select: What to read.
    ///   - isSame: Whether two values are the same, so that the second one is skipped.
    ///   - initially: Whether to call at once with the value at subscription, as old and new.
    ///   - policy: How often to call.
    ///   - isolation: The actor that the caller runs on.
    ///   - body: Called with the last value that this subscriber saw and the new one.
    /// - Returns: The token; letting it go ends the calls.
    @inlinable
    public func subscribe<Value: Sendable>(
        selecting select: @escaping @Sendable (State) -> Value,
        skippingRepeatsBy isSame: @escaping @Sendable (Value, Value) -> Bool,
        initially: Bool = false, policy: DeliveryPolicy = .every,
        isolation: (any Actor)? = #isolation,
        _ body: @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        engine.subscribe(
            to: selection(select), key: nil, isSame: untyped(isSame),
            Listening(
                initially: initially, policy: policy, actor: body.isolation, here: isolation),
            untyped(isolated: body))
    }

    /// What a path reads, without its type.
    @usableFromInline
    func selection<Value>(_ path: any KeyPath<State, Value> & Sendable) -> Selection {
        Selection(projection.appending(path))
    }

    /// What a closure reads, without its type.
    @usableFromInline
    func selection<Value>(_ select: @escaping @Sendable (State) -> Value) -> Selection {
        Selection(projection.selecting(select))
    }

    /// The key under which subscriptions of one path share what is read; nil in a store whose own
    /// value is computed, as nothing tells that computation from another one.
    @usableFromInline
    func key<Value>(
        _ path: any KeyPath<State, Value> & Sendable, _ kind: GroupKey.Kind
    ) -> GroupKey? {
        guard projection.derive == nil else { return nil }
        if let offset = MemoryLayout<State>.offset(of: path) {
            let offset = projection.offset + offset
            return GroupKey(
                source: .field(offset: offset, type: ObjectIdentifier(Value.self)), kind: kind)
        }
        return GroupKey(source: .path(path, from: projection.offset), kind: kind)
    }

    /// The comparison of two values behind pointers; captures nothing, so it costs nothing to make.
    @inlinable @inline(__always)
    static func equal<Value: Equatable & Sendable>(
        _ type: Value.Type
    ) -> @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
        { left, right in
            left.assumingMemoryBound(to: Value.self).pointee
                == right.assumingMemoryBound(to: Value.self).pointee
        }
    }

    /// A closure over two values as one over pointers to them, compiled where their type is known.
    @inlinable @inline(__always)
    func untyped<Value, Result>(
        _ body: @escaping @Sendable (Value, Value) -> Result
    ) -> @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Result {
        { left, right in
            body(
                left.assumingMemoryBound(to: Value.self).pointee,
                right.assumingMemoryBound(to: Value.self).pointee)
        }
    }

    /// The same for a closure with a mark of isolation, to be called where that isolation holds.
    ///
    /// A closure marked `@isolated(any)` differs from a plain one only in what the compiler says
    /// about callers; it cannot be called synchronously, even where the engine knows that it runs on
    /// the right actor. Hence the cast, which drops the mark.
    @inlinable @inline(__always)
    func untyped<Value>(
        isolated body: @escaping @isolated(any) @Sendable (Value, Value) -> Void
    ) -> @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Void {
        let plain = unsafeBitCast(body, to: (@Sendable (Value, Value) -> Void).self)
        return { old, new in
            plain(
                old.assumingMemoryBound(to: Value.self).pointee,
                new.assumingMemoryBound(to: Value.self).pointee)
        }
    }
}
