// SPDX-License-Identifier: MIT

extension Store {
    /// The values at a key path, one after the other: the current one, then each change.
    ///
    /// Reading costs what
    /// ``subscribe(_:initially:isolation:_:)-(KeyPath<State,Value>Sendable,_,_,_)`` costs, and a hop
    /// to the task that reads.
    ///
    /// - Parameters:
    ///   - path: What to read.
    ///   - buffering: What to keep for a reader who is slower than the store.
    /// - Returns: A sequence that ends with the store, or with the slice that this is the store of.
    @inlinable
    public func values<Value: Equatable & Sendable>(
        of path: any KeyPath<State, Value> & Sendable, buffering: Buffering = .latest
    ) -> StoreValues<Value> {
        sequence(buffering, isSame: Self.equal(Value.self)) { store, notify in
            store.subscribe(path, initially: true, isolation: nil) { _, new in notify(new) }
        }
    }

    /// The values of a selection, one after the other: the current one, then each change.
    ///
    /// Each iteration is a subscriber of the selection.
    ///
    /// - Parameters:
    ///   - selection: What to read; `.path(\.self)` is the whole state.
    ///   - buffering: What to keep for a reader who is slower than the store.
    /// - Returns: A sequence that ends with the store, or with the slice that this is the store of.
    /// - Complexity: as the selection says, and a hop to the task that reads.
    @inlinable
    public func values<Value: Sendable>(
        of selection: Selection<State, Value>, buffering: Buffering = .latest
    ) -> StoreValues<Value> {
        sequence(buffering, isSame: selection.isSame) { store, notify in
            store.subscribe(selection, initially: true, isolation: nil) { _, new in notify(new) }
        }
    }

    /// A sequence of values, each iteration of which `subscribe` begins, from the current value on.
    @usableFromInline
    package func sequence<Value: Sendable>(
        _ buffering: Buffering, isSame: Change.IsSame?,
        subscribe:
            @escaping @Sendable (
                _ store: Store<State>, _ notify: @escaping @Sendable (Value) -> Void
            ) -> Subscription
    ) -> StoreValues<Value> {
        StoreValues(buffering, isSame: isSame) { [store = borrowed] feed in
            let engine = store.engine
            let isOpen = engine.atEnd(of: feed) { feed.finish() }
            let wasPresent = store.presence.map { engine.read($0.isPresent) } ?? true
            // The first call comes at once, even when the store has ended.
            let token = subscribe(store) { feed.offer($0) }
            // After it, so that what the last commit notified is in the feed when the feed ends.
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
