// SPDX-License-Identifier: MIT

/// How far a store goes before it refuses.
public struct Limits: Sendable, Hashable {
    /// How many times a subscriber may dispatch in answer to a dispatch of a subscriber.
    public var generations: Int
    /// How many dispatches may follow from one dispatch in total, where subscribers answer answers,
    /// each perhaps with several, or middlewares dispatch from inside middlewares.
    public var answers: Int
    /// How many dispatches of middlewares may enclose one another.
    public var middlewareDepth: Int
    /// How many commits may wait for a slow subscriber, or calls for a busy actor, before the next
    /// ones are delivered as one.
    public var waitingCommits: Int
    /// The limits of layers above the core, by the keys that they declare.
    private var values: [ObjectIdentifier: Int] = [:]

    /// How many answers a chain may have in total; at least as many as it may be long.
    var allAnswers: Int { max(answers, generations) }

    /// Limits, by default those of the contract.
    public init(
        generations: Int = 1_000, answers: Int = 100_000, middlewareDepth: Int = 100,
        waitingCommits: Int = 4_096
    ) {
        self.generations = generations
        self.answers = answers
        self.middlewareDepth = middlewareDepth
        self.waitingCommits = waitingCommits
    }

    /// A limit of a layer above the core.
    package subscript<Key: LimitKey>(_ key: Key.Type) -> Int {
        get { values[ObjectIdentifier(key)] ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}
