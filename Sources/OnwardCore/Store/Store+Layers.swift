// SPDX-License-Identifier: MIT

// What layers above the core ask of a store, and have it call.

extension Store {
    /// Whether a reducer is registered for a type of action at an address, seen from this store.
    ///
    /// For actions from outside, whose address may be wrong: dispatching such an action would be a
    /// misuse of the store, but the mistake is the sender's. Rows and optional slices count as present.
    ///
    /// - Complexity: O(handlers of the type).
    package func handles(_ type: any Action.Type, at address: Address = .root) -> Bool {
        let features = engine.whole { $0.state.features }
        return features.route(for: type)?.handles(self.address.appending(address)) ?? false
    }

    /// Whether the current thread is inside a reducer of this store.
    package var isReducing: Bool { engine.isInsideReducer }

    /// The delivery that the current thread is making; nil outside of one.
    package var delivery: DeliveryMark? {
        guard let frame = ThreadFrame.innermost(of: engine.id), frame.generation >= 0 else {
            return nil
        }
        return DeliveryMark(
            version: frame.version, generation: frame.generation, chain: frame.chain)
    }

    /// Makes a call that is due apart from any delivery, or was left over from one.
    ///
    /// What it dispatches has the marked entry as its parent, and counts as an answer to it.
    package func call<Result>(as mark: DeliveryMark, _ body: () -> Result) -> Result {
        beginCallback()
        defer { endCallback() }
        return ThreadFrame.push(
            engine: engine.id, version: mark.version, generation: mark.generation,
            chain: mark.chain, body)
    }

    /// Says that something is still to be called, which `idle()` waits for.
    package func beginCallback() {
        engine.withLock { $0.state.callbacksInProgress += 1 }
    }

    /// Ends what `beginCallback` began.
    package func endCallback() {
        engine.endCallback()
    }

    /// Has a call made by the deliverer, one at a time with all deliveries; by another thread if none
    /// delivers.
    package func callWhenDelivering(_ call: @escaping @Sendable () -> Void) {
        let engine = engine
        if engine.withLock({ engine.addCall(call, $0) }) {
            Task.detached { engine.resumeDelivering() }
        }
    }

    /// How many calls may wait for a subscriber.
    package var waitingCommits: Int { engine.options.limits.waitingCommits }
}
