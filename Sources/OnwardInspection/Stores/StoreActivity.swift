// SPDX-License-Identifier: MIT

internal import Onward

/// What a store is doing besides its log: what its actions cost, which effects it has, which selectors.
public struct StoreActivity: Sendable, Hashable, Codable {
    /// What the actions of a type cost since the store was attached.
    public struct Cost: Sendable, Hashable, Codable {
        /// The name of the type.
        public var name: String
        /// How many were committed.
        public var count: Int
        /// The nanoseconds that their reducers took together.
        public var total: Int64
        /// The nanoseconds that the slowest one took.
        public var worst: Int64
    }

    /// An effect that works, or waits to.
    public struct Effect: Sendable, Hashable, Codable {
        /// Its name, its place in the source, and what started it.
        public var description: String
        /// `running`, `waiting`, `queued`, or `cancelled` and still at work.
        public var phase: String
        /// Whether a piece of the state keeps it alive, as `While` does.
        public var isKeptByState: Bool
        /// Nanoseconds since 1970 at which it was handed to the store.
        public var since: Int64
    }

    /// A selector that somebody reads.
    public struct Selector: Sendable, Hashable, Codable {
        /// Its place in the source, and its parameter.
        public var description: String
        /// How often it was computed.
        public var evaluations: Int
        /// How often its value was at hand.
        public var hits: Int
    }

    /// The types of actions, the dearest one first.
    public var costs: [Cost] = []
    /// The effects, the oldest one first.
    ///
    /// A store at rest has only those that its state keeps.
    public var effects: [Effect] = []
    /// The selectors, the most computed one first.
    public var selectors: [Selector] = []

    /// A store of which nothing is known.
    public init() {}

    /// The most effects and selectors that are listed.
    private static let limit = 200

    init<State: Sendable>(of store: StoreDiagnostics<State>, _ statistics: Statistics<State>) {
        costs =
            statistics.figures.map { name, figures in
                Cost(
                    name: name, count: figures.count, total: figures.total.wholeNanoseconds,
                    worst: figures.worst.wholeNanoseconds)
            }
            .sorted { ($1.total, $0.name) < ($0.total, $1.name) }
        effects = store.runningEffects.prefix(Self.limit).map { effect in
            Effect(
                description: "\(effect)", phase: "\(effect.phase)",
                isKeptByState: effect.kind == .state, since: effect.since.nanosecondsSince1970)
        }
        selectors =
            store.selectors.map { selector in
                let parameter = selector.parameter.map { " of \($0)" } ?? ""
                return Selector(
                    description: "\(selector.origin)\(parameter)",
                    evaluations: selector.evaluations, hits: selector.hits)
            }
            .sorted { ($1.evaluations, $0.description) < ($0.evaluations, $1.description) }
        selectors = Array(selectors.prefix(Self.limit))
    }
}
