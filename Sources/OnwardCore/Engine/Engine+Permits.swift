// SPDX-License-Identifier: MIT

extension Engine {
    /// Dispatches with a permit.
    ///
    /// The frame makes the entry that led here the parent, and lets the commit see, under the lock,
    /// whether the permit still holds.
    package func dispatch(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?, with permit: any DispatchPermit,
        startedBy: Version?
    ) -> DispatchResult {
        guard enterCallout() else { return refuseInsideReducer(type, action, origin) }
        defer { endCallout() }
        // An answer that dispatches by itself continues the delivery that it is called in.
        let outer = ThreadFrame.place(of: id)
        return ThreadFrame.push(
            engine: id, version: outer?.pointee.entry ?? startedBy ?? 0,
            generation: outer?.pointee.generation ?? -1, depth: outer?.pointee.depth ?? 0,
            cause: outer?.pointee.cause,
            permit: permit
        ) {
            TaskPermit.withNone { dispatch(type, action, to: address, from: origin, on: here) }
        }
    }

    /// Calls what dispatches in answer to a commit, as part of the delivery of that; without a permit where
    /// nothing can end its right.
    package func call(
        within context: DeliveryContext, with permit: (any DispatchPermit)?, _ body: () -> Void
    ) {
        ThreadFrame.push(
            engine: id, version: context.version, generation: context.generation,
            cause: context.cause, permit: permit
        ) { TaskPermit.withNone(body) }
    }

    private func enterCallout() -> Bool {
        let thread = CurrentThread.id
        guard !isReducing(thread) else { return false }
        withLock(as: thread) { $0.state.callbacksInProgress += 1 }
        return true
    }
}
