// SPDX-License-Identifier: MIT

internal import Onward

/// What a store is doing besides its log, and what it costs: its effects, subscribers, selectors, and reducers.
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
        /// The name that the feature gave it; nil where it has none.
        public var name: String?
        /// Where it is written, `Shop/Cart.swift:12`.
        public var origin: String?
        /// The id of the entry that started it; nil where none did, or the log no longer has it.
        public var entry: Int?
    }

    /// A place in the source with live subscriptions, and what their calls took since the store was attached.
    public struct Subscriber: Sendable, Hashable, Codable {
        /// Where they subscribed, `Shop/CartView.swift:20`; empty for what the library subscribes itself, for views and for
        /// effects of the state.
        public var origin: String
        /// The type that they are notified of; empty where it is not known.
        public var value: String
        /// How many there are.
        public var count: Int
        /// The version of the store at which the oldest of them subscribed.
        public var version: UInt64
        /// The id of the entry with that version; nil for the time before all, or where the log no longer has it.
        public var entry: Int?
        /// How often they were called.
        public var calls: Int
        /// The nanoseconds that the calls took together, with what they dispatched.
        public var total: Int64
        /// The nanoseconds that the slowest call took.
        public var worst: Int64
    }

    /// Live subscriptions that came before the store was attached, by the type that they are notified of.
    public struct Earlier: Sendable, Hashable, Codable {
        /// The type; empty where it is not known, as of what the library subscribes for views.
        public var value: String
        /// How many there are.
        public var count: Int
    }

    /// A selector that somebody reads.
    public struct Selector: Sendable, Hashable, Codable {
        /// Its place in the source, and its parameter.
        public var description: String
        /// How often it was computed.
        public var evaluations: Int
        /// How often its value was at hand.
        public var hits: Int
        /// The nanoseconds that it took since the store was attached, without the selectors that it reads.
        public var total: Int64?
        /// The nanoseconds that the slowest computation took.
        public var worst: Int64?
    }

    /// The types of actions, the dearest one first.
    public var costs: [Cost] = []
    /// The effects, the oldest one first.
    ///
    /// A store at rest has only those that its state keeps.
    public var effects: [Effect] = []
    /// How many effects there are, also of those that are not listed.
    public var effectCount = 0
    /// The places that have subscribed, those with the most live subscriptions first.
    public var subscribers: [Subscriber] = []
    /// How many subscriptions are alive, also of those whose places are not known.
    public var subscriberCount = 0
    /// How many of them came before the store was attached, so that their places are not known.
    ///
    /// A store keeps the place of a subscription only while it is inspected. Attach a store right after it is made, and
    /// these are only what its features subscribe.
    public var earlierSubscribers = 0
    /// What those are notified of, the most frequent type first.
    public var earlier: [Earlier] = []
    /// The selectors, the dearest one first.
    public var selectors: [Selector] = []

    /// A store of which nothing is known.
    public init() {}

    /// Reads what an inspector says; an earlier one says less.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys, _ none: Value) throws -> Value {
            try fields.decodeIfPresent(Value.self, forKey: key) ?? none
        }
        costs = try read(.costs, [])
        effects = try read(.effects, [])
        effectCount = try read(.effectCount, effects.count)
        subscribers = try read(.subscribers, [])
        subscriberCount = try read(.subscriberCount, 0)
        earlierSubscribers = try read(.earlierSubscribers, 0)
        earlier = try read(.earlier, [])
        selectors = try read(.selectors, [])
    }
}

// MARK: - Looking

extension StoreActivity {
    /// The most effects, places and selectors that are listed.
    private static let limit = 200
    /// About how many subscribers are looked at.
    private static let mostSubscribers = 10_000

    /// Has a store count from here on what it doesn't count for itself.
    static func prepare<State: Sendable>(_ store: StoreDiagnostics<State>) {
        store.measureSubscribers()
        store.measureSelectors()
        store.recordEffects(limit: 1_000)
    }

    /// What a store is doing now.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - statistics: What its reducers took.
    ///   - entry: The id of the entry with a version.
    init<State: Sendable>(
        of store: StoreDiagnostics<State>, _ statistics: Statistics<State>,
        entry: (Version) -> Int?
    ) {
        costs =
            statistics.figures.map { name, figures in
                Cost(
                    name: name, count: figures.count, total: figures.total.wholeNanoseconds,
                    worst: figures.worst.wholeNanoseconds)
            }
            .sorted { ($1.total, $0.name) < ($0.total, $1.name) }
        let running = store.runningEffects
        effectCount = running.count
        effects = running.prefix(Self.limit).map { effect in
            Effect(
                description: "\(effect)", phase: "\(effect.phase)",
                isKeptByState: effect.kind == .state, since: effect.since.nanosecondsSince1970,
                name: effect.id, origin: "\(effect.origin)",
                entry: effect.startedBy.flatMap(entry))
        }
        note(store.subscribers(limit: Self.mostSubscribers), entry: entry)
        selectors = store.selectorCosts.map { selector, cost in
            let parameter = selector.parameter.map { " of \($0)" } ?? ""
            return Selector(
                description: "\(selector.origin)\(parameter)", evaluations: selector.evaluations,
                hits: selector.hits, total: cost?.total, worst: cost?.worst)
        }
        .sorted {
            ($1.total ?? 0, $1.evaluations, $0.description)
                < ($0.total ?? 0, $0.evaluations, $1.description)
        }
        selectors = Array(selectors.prefix(Self.limit))
    }

    /// Sums the subscribers of each place up.
    private mutating func note(_ live: LiveSubscribers, entry: (Version) -> Int?) {
        struct Place: Hashable {
            let origin: Origin?
            let type: ObjectIdentifier?
        }
        struct Sum {
            let type: Any.Type?
            var count = 0
            var since = Version.max
            var cost = MeasuredCost()
        }
        subscriberCount = live.count
        var sums: [Place: Sum] = [:]
        var earlierTypes: [String: Int] = [:]
        for (type, meter) in live.all {
            guard let meter else {
                earlierSubscribers += 1
                earlierTypes[Self.name(of: type), default: 0] += 1
                continue
            }
            // What the library does for views and effects has types of its own, which say nothing.
            let type = meter.origin == nil ? nil : type
            let place = Place(origin: meter.origin, type: type.map { ObjectIdentifier($0) })
            var sum = sums[place] ?? Sum(type: type)
            sum.count += 1
            sum.since = min(sum.since, meter.since)
            sum.cost.add(meter.calls.cost)
            sums[place] = sum
        }
        let all = sums.map { place, sum in
            Subscriber(
                origin: place.origin.map { "\($0)" } ?? "",
                value: Self.name(of: sum.type), count: sum.count,
                version: sum.since, entry: nil, calls: sum.cost.count, total: sum.cost.total,
                worst: sum.cost.worst)
        }
        .sorted { ($1.count, $0.origin, $0.value) < ($0.count, $1.origin, $1.value) }
        subscribers = all.prefix(Self.limit).map { subscriber in
            var subscriber = subscriber
            subscriber.entry = entry(subscriber.version)
            return subscriber
        }
        earlier = Array(
            earlierTypes.map { Earlier(value: $0, count: $1) }
                .sorted { ($1.count, $0.value) < ($0.count, $1.value) }.prefix(Self.limit))
    }

    /// The name of a type; empty where it is not known.
    private static func name(of type: Any.Type?) -> String {
        type.map { String("\($0)".prefix(200)) } ?? ""
    }
}
