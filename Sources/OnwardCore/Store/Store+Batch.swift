// SPDX-License-Identifier: MIT

extension Store {
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
