// SPDX-License-Identifier: MIT

/// The commits that something is notified of, as far as each call needs to know.
package struct DeliveryContext {
    /// The newest of them.
    package var version: CommitVersion
    /// How many rounds led to them.
    var generation = 0
    /// The actions that led to them; kept only near the limit.
    var chain: DispatchChain?

    /// Adds a later commit; returns what is to be released outside the lock.
    ///
    /// What has another cause besides a chain is no answer of that chain. So the lower generation counts: otherwise a
    /// subscriber that answers each change would be taken for a loop once others commit long enough without a pause.
    mutating func join(_ later: DeliveryContext) -> DispatchChain? {
        version = max(version, later.version)
        guard later.generation < generation else { return nil }
        defer { (generation, chain) = (later.generation, later.chain) }
        return chain
    }
}
