// SPDX-License-Identifier: MIT

extension Store {
    /// Dispatches an action: middleware runs first, then the reducers of its type, then observers
    /// and subscribers.
    ///
    /// Call it from any thread. Subscribers without isolation are called before it returns, unless
    /// another thread is notifying or has a batch open; then that thread calls them.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The caller's actor; subscribers on that actor are called at once.
    /// - Returns: What became of the action.
    /// - Complexity: O(handlers of the type), whatever the features; no allocation without
    ///   listeners.
    @inlinable
    @discardableResult
    public func dispatch<A: Action>(
        _ action: A, file: String = #fileID, line: Int = #line,
        isolation: (any Actor)? = #isolation
    ) -> DispatchResult {
        Dispatch.with(
            action, to: address, from: ActionOrigin(file: file, line: line), on: isolation
        ) { engine.dispatch($0) }
    }

    /// Dispatches an action to an instance of a feature.
    ///
    /// Use it for actions that come with an address: from a page, a journal, another program. In
    /// code, the compiler checks `to: .row(\.trips, id: 1)`. Otherwise it works like dispatching
    /// without an address.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - instance: The instance that it is meant for, seen from this store; ``Address/root`` for
    ///     all that handle it.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The caller's actor; subscribers on that actor are called at once.
    /// - Returns: What became of the action.
    @inlinable
    @discardableResult
    public func dispatch<A: Action>(
        _ action: A, to instance: Address, file: String = #fileID, line: Int = #line,
        isolation: (any Actor)? = #isolation
    ) -> DispatchResult {
        Dispatch.with(
            action, to: engine.settled(address.appending(instance)),
            from: ActionOrigin(file: file, line: line),
            on: isolation
        ) { engine.dispatch($0) }
    }

    /// A value that is not an action.
    @available(
        *, unavailable,
        message: "an action conforms to Action, and its type is given: CounterAction.add(1)"
    )
    @_disfavoredOverload
    @discardableResult
    public func dispatch<Value: Equatable>(_ action: Value) -> DispatchResult {
        .refused(.absent)
    }

    /// Combines all dispatches inside `body` into one notification; each remains a commit and an
    /// entry of its own, readable at once.
    ///
    /// While a batch is open on any thread, no round of notifications begins; commits of other
    /// threads wait and are notified by the thread that closes the batch, together with it. Work
    /// that had already begun continues: a round that another thread is making, calls on their way
    /// to an actor, and the first call of a subscriber that asks for one.
    ///
    /// Batches nest. If `body` throws, what was committed is notified: a batch is not a
    /// transaction. Calling it inside a reducer is a programmer error and only runs `body`.
    ///
    /// - Throws: What `body` throws.
    @discardableResult
    public func batch<Result, Failure: Error>(
        isolation: (any Actor)? = #isolation, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        engine.openBatch()
        defer { engine.closeBatch(on: isolation) }
        return try body()
    }
}
