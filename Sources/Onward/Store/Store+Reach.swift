// SPDX-License-Identifier: MIT

extension Store {
    /// Whether a reducer is registered for a type of action at an address, seen from this store.
    ///
    /// For what comes from outside with an address that may be wrong: dispatching it would be a
    /// misuse of the store, but the mistake is the sender's. Rows and optional slices count as there.
    ///
    /// - Complexity: O(handlers of the type).
    package func handles(_ type: any Action.Type, at address: Address = .root) -> Bool {
        let program = engine.lock.withLock { engine.program }
        return program.route(for: type)?.handles(self.address.appending(address)) ?? false
    }
}
