// SPDX-License-Identifier: MIT

public import EntityTables

extension Store {
    /// Subscribes to changes of a value in the state; equal values are skipped.
    ///
    /// - Parameters:
    ///   - path: What to read. A stored property is read only when its slice was reduced; a
    ///     computed one, or one behind an optional, each time something inside this store's slice
    ///     was.
    ///   - initially: Whether to call `body` at once with the value at subscription, as old and
    ///     new.
    ///   - isolation: The actor that the caller runs on.
    ///   - file: The source file, for inspectors.
    ///   - line: The source line, for inspectors.
    ///   - body: Called with the last value that this subscriber saw and the new one. A closure
    ///     written on the main actor, or marked `@MainActor`, is called there; a closure of another
    ///     actor that uses `self` is called on that actor. Any other closure is called by the
    ///     thread that delivers.
    /// - Returns: The token; releasing it ends the calls.
    @inlinable
    public func subscribe<Value: Equatable & Sendable>(
        _ path: any KeyPath<State, Value> & Sendable, initially: Bool = false,
        isolation: (any Actor)? = #isolation, file: String = #fileID, line: Int = #line,
        @_inheritActorContext _ body:
            @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        subscribe(
            to: path, .changes, isSame: Self.equal(Value.self),
            Listening(
                initially: initially, actor: body.isolation, here: isolation,
                origin: ActionOrigin(file: file, line: line)),
            TypedSubscriber(unmarked(body)))
    }

    /// Subscribes to changes of a selection: a row, a table, a value that a closure or a selector
    /// derives from the state, a value that is not `Equatable`.
    ///
    /// - Parameters:
    ///   - selection: What to read, and how its values are compared.
    ///   - initially: Whether to call `body` at once with the value at subscription, as old and
    ///     new.
    ///   - isolation: The actor that the caller runs on.
    ///   - file: The source file, for inspectors.
    ///   - line: The source line, for inspectors.
    ///   - body: Called like the closure for a key path.
    /// - Returns: The token; releasing it ends the calls.
    /// - Complexity: As documented for the selection.
    @inlinable
    public func subscribe<Value: Sendable>(
        _ selection: Selection<State, Value>, initially: Bool = false,
        isolation: (any Actor)? = #isolation, file: String = #fileID, line: Int = #line,
        @_inheritActorContext _ body:
            @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        selection.subscribe(
            self,
            Listening(
                initially: initially, actor: body.isolation, here: isolation,
                origin: ActionOrigin(file: file, line: line)),
            SelectionBody(unmarked(body)))
    }

    /// Subscribes to changes of a selection on an actor, which the closure receives isolated.
    ///
    /// The store does not keep the actor alive; the calls end with the actor.
    @inlinable
    public func subscribe<Value: Sendable, Owner: Actor>(
        _ selection: Selection<State, Value>, on owner: Owner, initially: Bool = false,
        isolation: (any Actor)? = #isolation, file: String = #fileID, line: Int = #line,
        _ body: @escaping @Sendable (_ owner: isolated Owner, _ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        selection.subscribe(
            self,
            Listening(
                initially: initially, actor: owner, here: isolation,
                origin: ActionOrigin(file: file, line: line)),
            SelectionBody { [weak owner] old, new in
                owner?.assumeIsolated { body($0, old, new) }
            })
    }

    /// Notifies of the value at subscription, then of the latest value, or of every commit; by the thread that notifies.
    @inlinable
    package func subscribe<Value: Sendable>(
        _ selection: Selection<State, Value>, initially: Bool, every: EveryCommit?,
        from origin: ActionOrigin?, _ body: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> Subscription {
        selection.subscribe(
            self,
            Listening(initially: initially, actor: nil, here: nil, origin: origin, every: every),
            SelectionBody(body))
    }

    /// The current value of a selection, without tracking the read.
    ///
    /// Runs on the calling thread. The value includes every action whose `dispatch` has returned.
    ///
    /// - Complexity: That of the key path or the closure; for a selector, its inputs are compared
    ///   with the remembered ones, and its value is computed only if they differ.
    @inlinable
    public func value<Value: Sendable>(of selection: Selection<State, Value>) -> Value {
        selection.read(self)
    }

    /// What a path reads, now.
    @usableFromInline
    package func read<Value>(_ path: any KeyPath<State, Value> & Sendable) -> Value {
        engine.read(getter.appending(path))
    }

    /// Notifies a subscriber of what a path reads.
    @inlinable @inline(__always)
    package func subscribe<Value>(
        to path: any KeyPath<State, Value> & Sendable, _ kind: GroupKey.Kind,
        isSame: Change.IsSame?, _ options: Listening, _ subscriber: Subscriber
    ) -> Subscription {
        if let row {
            return row.subscribe({ $0[keyPath: path] }, isSame: isSame, options, subscriber)
        }
        return engine.subscribe(
            to: anyGetter(path), of: path, at: site(path, kind), key: sharing(key(path, kind)),
            isSame: isSame, options, subscriber)
    }

    /// Notifies a subscriber of what a closure reads.
    @inlinable @inline(__always)
    package func subscribe<Value>(
        toWhat select: @escaping @Sendable (State) -> Value, key: GroupKey? = nil,
        isSame: Change.IsSame?, _ options: Listening, _ subscriber: Subscriber
    ) -> Subscription {
        if let row { return row.subscribe(select, isSame: isSame, options, subscriber) }
        return engine.subscribe(
            to: anyGetter(select), of: nil, at: nil, key: key, isSame: isSame, options, subscriber)
    }

    /// The key under which subscriptions of one closure share its result; nil if nothing
    /// distinguishes its input from others.
    @inlinable @inline(__always)
    package func key<Value>(ofWhat select: @escaping @Sendable (State) -> Value) -> GroupKey? {
        ClosureIdentity(IdentifiedClosure(call: select)).flatMap { key(of: $0) }
    }

    @usableFromInline
    package func key(of closure: ClosureIdentity) -> GroupKey? {
        sharing(
            getter.stableSource.map {
                GroupKey(source: .closure(closure, of: $0), kind: .changes)
            })
    }

    /// What a path reads, without its type.
    @usableFromInline
    package func anyGetter<Value>(_ path: any KeyPath<State, Value> & Sendable) -> AnyGetter {
        AnyGetter(getter.appending(path))
    }

    /// What a closure reads, without its type; compiled where its type is known.
    @inlinable @inline(__always)
    package func anyGetter<Value>(_ select: @escaping @Sendable (State) -> Value) -> AnyGetter {
        guard getter.derive == nil else { return derivedGetter(select) }
        let offset = getter.offset
        return AnyGetter(range: getter.range, of: TypedValue<Value>()) { root, target in
            let state = (root.pointer + offset).assumingMemoryBound(to: State.self)
            target.initializeMemory(as: Value.self, to: select(state.pointee))
        }
    }

    /// What a closure makes of a value that is computed itself.
    @usableFromInline
    func derivedGetter<Value>(_ select: @escaping @Sendable (State) -> Value) -> AnyGetter {
        AnyGetter(getter.selecting(select))
    }

    /// What finds the group of a path quickly; nil if there is no key.
    @inlinable @inline(__always)
    func site(_ path: AnyKeyPath, _ kind: GroupKey.Kind) -> GroupSite? {
        getter.derive == nil
            ? GroupSite(path, from: getter.offset, kind) : nil
    }

    /// The key if subscribers may share what it stands for.
    ///
    /// They may not in a store that keeps showing what was seen last: each may have seen another
    /// last value.
    @usableFromInline
    package func sharing(_ key: GroupKey?) -> GroupKey? { getter.isThere == nil ? key : nil }

    /// The key under which subscriptions of one path share what is read; nil in a store whose own
    /// value is computed by a closure, as nothing distinguishes that computation from another.
    @usableFromInline
    package func key<Value>(
        _ path: any KeyPath<State, Value> & Sendable, _ kind: GroupKey.Kind
    ) -> GroupKey? {
        if getter.derive == nil, let offset = MemoryLayout<State>.offset(of: path) {
            let offset = getter.offset + offset
            return GroupKey(
                source: .field(offset: offset, type: ObjectIdentifier(Value.self)), kind: kind)
        }
        return getter.source(of: path).map { GroupKey(source: $0, kind: kind) }
    }

    /// Whether a value behind a pointer is the same as the one before; captures nothing, so it costs nothing to make.
    @inlinable @inline(__always)
    package static func equal<Value: Equatable & Sendable>(
        _ type: Value.Type
    ) -> @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
        { left, right in
            isUnchanged(
                at: left.assumingMemoryBound(to: Value.self),
                right.assumingMemoryBound(to: Value.self))
        }
    }

    /// A closure over two values as one over pointers to them, compiled where their type is known.
    @inlinable @inline(__always)
    static func untyped<Value, Result>(
        _ body: @escaping @Sendable (Value, Value) -> Result
    ) -> @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Result {
        { left, right in
            body(
                left.assumingMemoryBound(to: Value.self).pointee,
                right.assumingMemoryBound(to: Value.self).pointee)
        }
    }

    /// A closure without its mark of isolation, to be called where that isolation holds.
    ///
    /// A closure marked `@isolated(any)` differs from a plain one only in what the compiler says
    /// about callers; it cannot be called synchronously, even where the engine knows that it runs
    /// on the right actor. Hence the cast. It goes through structs of one layout, because casting
    /// the closures themselves would wrap them twice: two allocations for every subscriber.
    @inlinable @inline(__always)
    package func unmarked<Old, New>(
        _ body: @escaping @isolated(any) @Sendable (Old, New) -> Void
    ) -> @Sendable (Old, New) -> Void {
        unsafeBitCast(MarkedBody(call: body), to: UnmarkedBody<Old, New>.self).call
    }
}

/// The body of a subscriber as it was given.
@usableFromInline
struct MarkedBody<Old, New> {
    @usableFromInline let call: @isolated(any) @Sendable (Old, New) -> Void

    @inlinable
    init(call: @escaping @isolated(any) @Sendable (Old, New) -> Void) {
        self.call = call
    }
}

/// The body of a subscriber as it is called.
@usableFromInline
struct UnmarkedBody<Old, New> {
    @usableFromInline let call: @Sendable (Old, New) -> Void
}
