// SPDX-License-Identifier: MIT

// Chains of actions that are dispatched in answer to one another, and when one of them is too long.

extension Engine {
    /// Where a commit stands in a chain of subscribers that answer each other.
    struct ChainPosition {
        let generation: Int
        let chain: DispatchChain?
        /// How many more the limits leave.
        let remaining: Int
        /// Whether it is the length of the chain that is at its limit.
        let isTooLong: Bool
    }

    /// Where a commit stands that is made within a frame.
    func chainPosition(
        within outer: EnclosingFrame?, _ locked: borrowing Locked
    ) -> ChainPosition {
        let generation = (outer?.frame.generation ?? -1) + 1
        let chain = generation > 0 ? ThreadFrame.chain(of: id) : outer?.frame.chain
        let left = options.limits.generations - generation
        // What came through middlewares was counted there.
        let counts = generation > 1 && outer?.frame.depth == 0
        let remaining = counts ? count(in: chain, left: left, locked) : left
        return ChainPosition(
            generation: generation, chain: chain, remaining: remaining, isTooLong: left < 0)
    }

    /// The chain with one more action, which is kept only for the last links before a limit.
    func link(
        _ dispatch: borrowing Dispatch, after chain: DispatchChain?, remaining: Int
    ) -> DispatchChain? {
        guard let chain, remaining < Self.reportedActions else { return chain }
        return DispatchChain(dispatch.boxed, after: chain)
    }

    /// Counts an answer to an answer; returns how many more there may be, of `left` by another limit.
    func count(in chain: DispatchChain?, left: Int, _ locked: borrowing Locked) -> Int {
        guard let chain else { return left }
        chain.beginning.answers += 1
        return min(left, options.limits.allAnswers - chain.beginning.answers)
    }

    /// Whether the chain that a commit belongs to is short enough to go on without a task.
    ///
    /// A responder may dispatch forever, which is no mistake as long as no thread has to wait for it. So after a
    /// while it dispatches in a task, with which a chain begins anew, long before it counts as a loop or the stack
    /// ends.
    package func isShort(_ context: DeliveryContext) -> Bool {
        guard context.generation < min(16, options.limits.generations / 2) else { return false }
        guard let chain = context.chain else { return true }
        return withLock { _ in chain.beginning.answers < min(1_000, options.limits.allAnswers / 2) }
    }

    /// How many actions of a loop are remembered.
    static let reportedActions = 20
}
