// SPDX-License-Identifier: MIT

extension Store {
    /// Makes all dispatches inside one notification; each stays a commit and an entry of its own,
    /// readable at once.
    ///
    /// While a batch is open on any thread, no subscriber of the store is called; commits of other
    /// threads wait and are told together with it. Batches nest. When `body` throws, what was
    /// committed is told: a batch is no transaction.
    ///
    /// - Throws: what `body` throws.
    public func batch<Result, Failure: Error>(
        isolation: (any Actor)? = #isolation, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        engine.openBatch()
        defer { engine.closeBatch(on: isolation) }
        return try body()
    }
}
