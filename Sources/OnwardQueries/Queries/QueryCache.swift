// SPDX-License-Identifier: MIT

public import Onward

/// The answers of a server to one kind of query, in the state of an app.
///
/// ```swift
/// struct App: Sendable { var pages = QueryCache<Notes>() }
///
/// store.subscribe(.row(\.pages.entries, id: Notes(page: 1))) { _, entry in show(entry?.value) }
/// ```
///
/// ``Fetch`` keeps it up to date. Saved and restored, it has the answers and the times at which they
/// came; what was wanted and what was being asked is not saved, and asked for again on restore.
///
/// A pure machine: each event is one mutating method, and what has to be sent is in ``requests``.
public struct QueryCache<Q: Query>: Equatable, Sendable {
    /// What is known of each key, in the order in which the keys were first wanted.
    public internal(set) var entries: EntityTable<QueryEntry<Q>> = []
    /// The requests that are being sent.
    public internal(set) var requests: EntityTable<QueryRequest<Q>> = []
    /// The requests that wait for others to end, or for a network.
    public internal(set) var waiting: EntityTable<QueryRequest<Q>> = []
    /// The keys that handles hold, in the order in which they were first held.
    public internal(set) var held: [Q] = []
    /// What the answers count, in bytes.
    public internal(set) var byteCount = 0

    /// The keys that the app's state and the handles want, the first ones first.
    var wanted: [Q] = []
    var holds: [QueryHold<Q>: Int] = [:]
    var tagged: EntityTable<TaggedKeys<Q>> = []
    var deadlines: EntityTable<QueryDeadline<Q>> = []
    /// The first of the deadlines.
    var nextDeadline: Timestamp?
    var nextRequest = 1
    var isInSight = true
    var isOnline = true
    /// Grows when what is wanted has to be said again.
    var generation = 0
    /// Whether its answers were restored, and nobody has said yet since when they are unwanted.
    var isRestored = false

    /// Creates an empty cache.
    public init() {}

    /// What is known of a key; nil if it was never wanted, or was dropped.
    ///
    /// To observe one key, subscribe to `.row(\.pages.entries, id: key)`: it is read only when that
    /// key has changed.
    public subscript(key: Q) -> QueryEntry<Q>? { entries[id: key] }

    /// The last answer for a key.
    public func value(of key: Q) -> Q.Answer? { entries[id: key]?.value }

    /// What a key's answer is worth now.
    public func status(of key: Q) -> QueryStatus<Q.Failure> { entries[id: key]?.status ?? .idle }
}

/// A key that the handles of one process hold.
struct QueryHold<Q: Query>: Hashable, Sendable {
    let key: Q
    let process: UInt64
}

extension QueryCache: Codable {
    private enum CodingKeys: String, CodingKey { case answers, nextRequest }

    private struct Saved: Codable {
        let key: Q
        let value: Q.Answer
        let answeredAt: Timestamp?
        let tags: [QueryTag]
        let isStale: Bool
        let bytes: Int
    }

    /// Reads the answers; nothing is wanted or asked for yet.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        nextRequest = max(1, try container.decode(Int.self, forKey: .nextRequest))
        for saved in try container.decode([Saved].self, forKey: .answers) {
            guard entries[id: saved.key] == nil else { continue }
            var entry = QueryEntry<Q>(saved.key)
            entry.value = saved.value
            entry.answeredAt = saved.answeredAt
            entry.isStale = saved.isStale
            entry.bytes = max(0, min(saved.bytes, 1 << 40))
            byteCount += entry.bytes
            entries.append(entry)
            setTags(saved.tags, of: saved.key)
        }
        isRestored = true
    }

    /// Writes the answers, when they came, and their tags.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(nextRequest, forKey: .nextRequest)
        let saved = entries.compactMap { entry in
            entry.value.map {
                Saved(
                    key: entry.id, value: $0, answeredAt: entry.answeredAt, tags: entry.tags,
                    isStale: entry.isStale, bytes: entry.bytes)
            }
        }
        try container.encode(saved, forKey: .answers)
    }
}
