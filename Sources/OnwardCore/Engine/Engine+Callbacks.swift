// SPDX-License-Identifier: MIT

// Dispatches and calls that belong to a delivery or to a task with a permit.

extension Engine {
    /// Dispatches with a permit.
    ///
    /// The frame makes the entry that led here the parent, and lets the commit see, under the lock,
    /// whether the permit still holds.
    package func dispatch(
        _ dispatch: borrowing Dispatch, with permit: any DispatchPermit, startedBy: CommitVersion?
    ) -> DispatchResult {
        guard beginCallback() else { return refuseInsideReducer(dispatch) }
        defer { endCallback() }
        // An answer that dispatches by itself continues the delivery that it is called in.
        let outer = ThreadFrame.place(of: id)
        return ThreadFrame.push(
            engine: id, version: outer?.frame.entry ?? startedBy ?? 0,
            generation: outer?.frame.generation ?? -1, depth: outer?.frame.depth ?? 0,
            chain: outer?.frame.chain,
            permit: permit
        ) {
            TaskPermit.withNone { self.dispatch(dispatch) }
        }
    }

    /// Calls what dispatches in answer to a commit, as part of the delivery of that; without a permit where
    /// nothing can end its right.
    package func call(
        within context: DeliveryContext, with permit: (any DispatchPermit)?, _ body: () -> Void
    ) {
        ThreadFrame.push(
            engine: id, version: context.version, generation: context.generation,
            chain: context.chain, permit: permit
        ) { TaskPermit.withNone(body) }
    }

    private func beginCallback() -> Bool {
        let thread = CurrentThread.id
        guard !isReducing(thread) else { return false }
        withLock(as: thread) { $0.state.callbacksInProgress += 1 }
        return true
    }

    /// Ends what began as a callback.
    package func endCallback() {
        let idlers = withLock { locked in
            locked.state.callbacksInProgress -= 1
            return takeIdlers(locked)
        }
        for idler in idlers ?? [] { idler.resume() }
    }
}
