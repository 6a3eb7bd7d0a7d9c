// SPDX-License-Identifier: MIT

extension Store {
    /// Says what happened: middleware, then the reducers of the action's type, then observers and
    /// subscribers.
    ///
    /// From any thread. Subscribers without isolation are called before this returns, unless another
    /// thread is delivering or has a batch open; then that thread calls them.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The actor that the caller runs on; its subscribers are called at once.
    /// - Returns: What became of the action.
    /// - Complexity: O(handlers of the type), not of the features; no allocation without listeners.
    @inlinable
    @discardableResult
    public func dispatch<A: Action>(
        _ action: A, file: String = #fileID, line: Int = #line,
        isolation: (any Actor)? = #isolation
    ) -> DispatchResult {
        Dispatch.with(
            action, to: address, from: Origin(file: file, line: line), on: isolation
        ) { engine.dispatch($0) }
    }

    /// Says what happened to an instance of a feature.
    ///
    /// For actions that come with their address: from a page, a journal, another program. In code the compiler checks
    /// it: `to: .row(\.trips, id: 1)`. Otherwise works like the dispatch without an address.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - instance: The instance that it is meant for, seen from this store; ``Address/root`` for all that handle it.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The actor that the caller runs on; its subscribers are called at once.
    /// - Returns: What became of the action.
    @inlinable
    @discardableResult
    public func dispatch<A: Action>(
        _ action: A, to instance: Address, file: String = #fileID, line: Int = #line,
        isolation: (any Actor)? = #isolation
    ) -> DispatchResult {
        Dispatch.with(
            action, to: address.appending(instance), from: Origin(file: file, line: line),
            on: isolation
        ) { engine.dispatch($0) }
    }

    /// A value that is no action.
    @available(
        *, unavailable,
        message: "an action conforms to Action, and its type is given: CounterAction.add(1)"
    )
    @_disfavoredOverload
    @discardableResult
    public func dispatch<Value: Equatable>(_ action: Value) -> DispatchResult {
        .refused(.absent)
    }

    /// Makes one notification of all dispatches inside `body`; each stays a commit and an entry of its
    /// own, readable at once.
    ///
    /// While a batch is open on any thread, no delivery of the store begins; commits of other threads
    /// wait and are notified by the thread that closes the batch, those that come meanwhile together with
    /// it. What had begun continues: a delivery that another thread is making, calls that were on
    /// their way to an actor, and the first call of a subscriber that asks for one.
    ///
    /// Batches nest. When `body` throws, what was committed is notified: a batch is not a transaction.
    /// Inside a reducer it is a misuse and only runs `body`.
    ///
    /// - Throws: what `body` throws.
    @discardableResult
    public func batch<Result, Failure: Error>(
        isolation: (any Actor)? = #isolation, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        engine.openBatch()
        defer { engine.closeBatch(on: isolation) }
        return try body()
    }
}
