// SPDX-License-Identifier: MIT

/// How far a store goes before it says stop.
public struct Limits: Sendable, Hashable {
    /// How many times a subscriber may dispatch in answer to a dispatch of a subscriber.
    public var generations: Int
    /// How many dispatches of middlewares may enclose one another.
    public var middlewareDepth: Int
    /// How many commits may wait for a slow subscriber, or calls for a busy actor, before the next
    /// ones are told as one.
    public var waitingCommits: Int

    /// Limits, by default those of the contract.
    public init(generations: Int = 1_000, middlewareDepth: Int = 100, waitingCommits: Int = 4_096) {
        self.generations = generations
        self.middlewareDepth = middlewareDepth
        self.waitingCommits = waitingCommits
    }
}
