// SPDX-License-Identifier: MIT

public import EntityTables

extension Store {
    /// The values at a key path, one after the other: the current one, then each change.
    ///
    /// Reading costs what ``subscribe(_:initially:policy:isolation:_:)-9ise6`` costs, and a hop to the
    /// task that reads.
    ///
    /// - Parameters:
    ///   - path: What to read.
    ///   - buffering: What to keep for a reader who is slower than the store.
    /// - Returns: A sequence that ends with the store, or with the slice that this is the store of.
    @inlinable
    public func values<Value: Equatable & Sendable>(
        of path: any KeyPath<State, Value> & Sendable, buffering: Buffering = .latest
    ) -> StoreValues<Value> {
        sequence(buffering, isSame: Self.equal(Value.self)) { store, tell in
            store.subscribe(path, initially: true, isolation: nil) { _, new in tell(new) }
        }
    }

    /// The values at a key path that cannot be compared: the current one, then one for each commit
    /// that may have changed it.
    @inlinable
    public func values<Value: Sendable>(
        of path: any KeyPath<State, Value> & Sendable, buffering: Buffering = .latest
    ) -> StoreValues<Value> {
        sequence(buffering, isSame: Change.bothAbsent(Value.self)) { store, tell in
            store.subscribe(path, initially: true, isolation: nil) { _, new in tell(new) }
        }
    }

    /// The short form of `values(of:buffering:)`.
    @inlinable
    public func values<Value: Equatable & Sendable>(
        _ path: any KeyPath<State, Value> & Sendable, buffering: Buffering = .latest
    ) -> StoreValues<Value> {
        values(of: path, buffering: buffering)
    }

    /// The short form for values that cannot be compared.
    @inlinable
    public func values<Value: Sendable>(
        _ path: any KeyPath<State, Value> & Sendable, buffering: Buffering = .latest
    ) -> StoreValues<Value> {
        values(of: path, buffering: buffering)
    }

    /// The values that a closure makes of the state: the current one, then each change.
    ///
    /// - Complexity: as ``subscribe(selecting:initially:policy:isolation:_:)``.
    @inlinable
    public func values<Value: Equatable & Sendable>(
        selecting select: @escaping @Sendable (State) -> Value, buffering: Buffering = .latest
    ) -> StoreValues<Value> {
        values(selecting: select, skippingRepeatsBy: { $0 == $1 }, buffering: buffering)
    }

    /// The values that a closure makes of the state, with a comparison of your own.
    @inlinable
    public func values<Value: Sendable>(
        selecting select: @escaping @Sendable (State) -> Value,
        skippingRepeatsBy isSame: @escaping @Sendable (Value, Value) -> Bool,
        buffering: Buffering = .latest
    ) -> StoreValues<Value> {
        sequence(buffering, isSame: untyped(isSame)) { store, tell in
            store.subscribe(
                selecting: select, skippingRepeatsBy: isSame, initially: true, isolation: nil
            ) { _, new in tell(new) }
        }
    }

    /// The values of one row of a table: the current one, then each change; nil while there is none.
    ///
    /// - Complexity: as ``subscribe(_:id:initially:policy:isolation:_:)``.
    @inlinable
    public func values<Row: Identifiable & Equatable & Sendable>(
        of path: any KeyPath<State, EntityTable<Row>> & Sendable, id: Row.ID,
        buffering: Buffering = .latest
    ) -> StoreValues<Row?> where Row.ID: Sendable {
        sequence(buffering, isSame: Self.equal(Row?.self)) { store, tell in
            store.subscribe(path, id: id, initially: true, isolation: nil) { _, new in tell(new) }
        }
    }

    /// The values of the whole state: the current one, then each change.
    @inlinable
    public func values(buffering: Buffering = .latest) -> StoreValues<State>
    where State: Equatable {
        values(of: \.self, buffering: buffering)
    }

    /// The values of a whole state that cannot be compared: the current one, then one for each commit.
    @inlinable
    public func values(buffering: Buffering = .latest) -> StoreValues<State> {
        values(of: \.self, buffering: buffering)
    }

    /// A sequence of values, each iteration of which `subscribe` begins, from the current value on.
    @usableFromInline
    package func sequence<Value: Sendable>(
        _ buffering: Buffering, isSame: Change.IsSame?,
        subscribe:
            @escaping @Sendable (
                _ store: Store<State>, _ tell: @escaping @Sendable (Value) -> Void
            ) -> Subscription
    ) -> StoreValues<Value> {
        StoreValues(buffering, isSame: isSame) { [store = borrowed] feed in
            let engine = store.engine
            let isOpen = engine.atEnd(of: feed) { feed.finish() }
            let wasPresent = store.presence.map { engine.read($0.isPresent) } ?? true
            // The first call comes at once, also when the store has ended.
            let token = subscribe(store) { feed.offer($0) }
            // After it, so that what the last commit told is in the feed when the feed ends.
            let end = store.presence?.atEnd(in: engine, wasPresent: wasPresent) { feed.finish() }
            feed.atEnd {
                token.cancel()
                end?.cancel()
                engine.forgetEnd(of: feed)
            }
            if !isOpen { feed.finish() }
        }
    }
}
