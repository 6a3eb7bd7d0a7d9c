// SPDX-License-Identifier: MIT

internal import Onward

/// What a store is doing besides its log, and its costs: effects, subscribers, selectors, reducers.
public struct StoreActivity: Sendable, Hashable, Codable {
    /// What the actions of a type cost since the store was attached.
    public struct Cost: Sendable, Hashable, Codable {
        /// The name of the type.
        public var name: String
        /// How many actions were committed.
        public var count: Int
        /// The total nanoseconds that their reducers took.
        public var total: Int64
        /// The nanoseconds that the slowest one took.
        public var worst: Int64
    }

    /// An effect that is running, or waiting to.
    public struct Effect: Sendable, Hashable, Codable {
        /// The effect's name, its place in the source, and what started it.
        public var description: String
        /// `running`, `waiting`, `queued`, or `cancelled` and still at work.
        public var phase: String
        /// Whether a piece of the state keeps it alive, as `While` does.
        public var isKeptByState: Bool
        /// When it was handed to the store, in nanoseconds since 1970.
        public var since: Int64
        /// The name that the feature gave it; nil if it has none.
        public var name: String?
        /// The place of its source code, `Shop/Cart.swift:12`.
        public var origin: String?
        /// The id of the entry that started it; nil if none did, or the log no longer has it.
        public var entry: Int?
    }

    /// A place in the source with live subscriptions, and the cost of their calls since attaching.
    public struct Subscriber: Sendable, Hashable, Codable {
        /// The place where they subscribed, `Shop/CartView.swift:20`; empty for subscriptions that
        /// the library makes itself, for views and for effects of the state.
        public var origin: String
        /// The type of the values they receive; empty if unknown.
        public var value: String
        /// The number of subscriptions.
        public var count: Int
        /// The version of the store at which the oldest of them subscribed.
        public var version: UInt64
        /// The id of the entry with that version; nil if none has it, or the log has dropped it.
        public var entry: Int?
        /// How often they were called.
        public var calls: Int
        /// How many values they were not notified of, because later ones came before their turn; nil if unknown.
        public var skipped: Int?
        /// The total nanoseconds that the calls took, including what they dispatched.
        public var total: Int64
        /// The nanoseconds that the slowest call took.
        public var worst: Int64
    }

    /// Live subscriptions made before the store was attached, by the type of their values.
    public struct Earlier: Sendable, Hashable, Codable {
        /// The type; empty if unknown, as for what the library subscribes for views.
        public var value: String
        /// The number of subscriptions.
        public var count: Int
    }

    /// A selector that is being read.
    public struct Selector: Sendable, Hashable, Codable {
        /// The selector's place in the source, and its parameter.
        public var description: String
        /// How often it was computed.
        public var evaluations: Int
        /// How often its value was already available.
        public var hits: Int
        /// The nanoseconds it took since the store was attached, excluding the selectors it reads.
        public var total: Int64?
        /// The nanoseconds that the slowest computation took.
        public var worst: Int64?
    }

    /// A reason for which checks have refused actions.
    public struct Refusal: Sendable, Hashable, Codable {
        /// The name of the reason, `BidRefusal/tooLow`.
        public var reason: String
        /// How often it was given.
        public var count: Int
        /// The last action that was refused for it; empty if the store doesn't keep it any more.
        public var action: String
        /// Where that was dispatched.
        public var origin: String
    }

    /// The types of actions, the most expensive one first.
    public var costs: [Cost] = []
    /// The effects, the oldest one first.
    ///
    /// An idle store has only those that its state keeps alive.
    public var effects: [Effect] = []
    /// The number of effects, including those that are not listed.
    public var effectCount = 0
    /// The places that have subscribed, those with the most live subscriptions first.
    public var subscribers: [Subscriber] = []
    /// The number of live subscriptions, including those whose places are unknown.
    public var subscriberCount = 0
    /// How many of them were made before the store was attached, so that their places are unknown.
    ///
    /// A store keeps the place of a subscription only while it is inspected. If you attach a store
    /// right after it is made, these are only the subscriptions of its features.
    public var earlierSubscribers = 0
    /// The types of the values these receive, the most frequent one first.
    public var earlier: [Earlier] = []
    /// The selectors, the most expensive one first.
    public var selectors: [Selector] = []

    /// The reasons for which checks have refused actions since the store was made, the most frequent one first.
    public var refusals: [Refusal] = []
    /// Grows when a live page of the store has something new that isn't in the log.
    package var pageRevision: UInt64 = 0

    /// Creates the activity of a store of which nothing is known.
    public init() {}

    /// Decodes an inspector's answer; an earlier version includes less.
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
        refusals = try read(.refusals, [])
        pageRevision = try read(.pageRevision, 0)
    }
}

// MARK: - Looking

extension StoreActivity {
    /// The maximum number of effects, places and selectors that are listed.
    private static let limit = 200
    /// About how many subscribers are examined.
    private static let mostSubscribers = 10_000

    /// Makes a store count from now on what it doesn't count by itself.
    static func prepare<State: Sendable>(_ store: StoreDiagnostics<State>) {
        store.measureSubscribers()
        store.measureSelectors()
        store.recordEffects(limit: 1_000)
    }

    /// What a store is doing now.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - statistics: How long its reducers took.
    ///   - entry: The id of the entry with a version.
    init<State: Sendable>(
        of store: StoreDiagnostics<State>, _ statistics: Statistics<State>,
        entry: (CommitVersion) -> Int?
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
        note(store.refusals)
    }

    /// Sums up what checks have refused.
    private mutating func note(_ log: RefusalLog) {
        let last = Dictionary(log.latest.map { ($0.reason.wireName, $0) }) { $1 }
        let all = log.counts.map { reason, count in
            Refusal(
                reason: reason, count: Int(clamping: count),
                action: last[reason]?.action.wireName ?? "",
                origin: last[reason].map { "\($0.origin)" } ?? "")
        }
        refusals = Array(
            all.sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }.prefix(Self.limit))
    }

    /// Sums up the subscribers of each place.
    private mutating func note(_ live: LiveSubscribers, entry: (CommitVersion) -> Int?) {
        struct Place: Hashable {
            let origin: ActionOrigin?
            let type: ObjectIdentifier?
        }
        struct Sum {
            let type: Any.Type?
            var count = 0
            var since = CommitVersion.max
            var cost = MeasuredCost()
            var skipped = 0
        }
        subscriberCount = live.count
        var sums: [Place: Sum] = [:]
        var earlierTypes: [String: Int] = [:]
        for (type, meter, skipped) in live.all {
            guard let meter else {
                earlierSubscribers += 1
                earlierTypes[Self.name(of: type), default: 0] += 1
                continue
            }
            // The types that the library uses for views and effects are meaningless here.
            let type = meter.origin == nil ? nil : type
            let place = Place(origin: meter.origin, type: type.map { ObjectIdentifier($0) })
            var sum = sums[place] ?? Sum(type: type)
            sum.count += 1
            sum.since = min(sum.since, meter.since)
            sum.cost.add(meter.calls.cost)
            sum.skipped += skipped
            sums[place] = sum
        }
        let all = sums.map { place, sum in
            Subscriber(
                origin: place.origin.map { "\($0)" } ?? "",
                value: Self.name(of: sum.type), count: sum.count,
                version: sum.since, entry: nil, calls: sum.cost.count, skipped: sum.skipped,
                total: sum.cost.total, worst: sum.cost.worst)
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

    /// The name of a type; empty if unknown.
    private static func name(of type: Any.Type?) -> String {
        type.map { String("\($0)".prefix(200)) } ?? ""
    }
}
