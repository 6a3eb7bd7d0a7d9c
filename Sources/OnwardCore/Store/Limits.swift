// SPDX-License-Identifier: MIT

/// How far a store goes before it says stop.
public struct Limits: Sendable, Hashable {
    /// How many times a subscriber may dispatch in answer to a dispatch of a subscriber.
    public var generations: Int
    /// How many dispatches may follow from one in all, where subscribers answer answers, each perhaps
    /// with several, or middlewares dispatch from inside middlewares.
    public var answers: Int
    /// How many dispatches of middlewares may enclose one another.
    public var middlewareDepth: Int
    /// How many commits may wait for a slow subscriber, or calls for a busy actor, before the next
    /// ones are told as one.
    public var waitingCommits: Int
    /// How many values may be observed at once (`store[\.path]`); beyond it, observers of those that
    /// were read longest ago are told as if these had changed.
    public var observedValues: Int
    /// How many selectors without subscribers are remembered with what they made of the state when
    /// they were read.
    public var readSelectors: Int

    /// How many answers a chain may have in all; at least as many as it may be long.
    var allAnswers: Int { max(answers, generations) }

    /// Limits, by default those of the contract.
    public init(
        generations: Int = 1_000, answers: Int = 100_000, middlewareDepth: Int = 100,
        waitingCommits: Int = 4_096, observedValues: Int = 10_000, readSelectors: Int = 16
    ) {
        self.generations = generations
        self.answers = answers
        self.middlewareDepth = middlewareDepth
        self.waitingCommits = waitingCommits
        self.observedValues = observedValues
        self.readSelectors = readSelectors
    }
}
