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
/// came; what was being asked for is asked for again.
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
    /// The keys that the app's state wants.
    var stated: [Q] = []
    /// Grows when other keys are held, and when a logout has emptied the cache.
    var generation = 0

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
struct QueryHold<Q: Query>: Hashable, Codable, Sendable {
    let key: Q
    let process: UInt64
}

extension QueryCache: Codable {
    private enum CodingKeys: String, CodingKey {
        case entries, requests, waiting, held, wanted, stated, holds, nextRequest, isInSight,
            isOnline, generation
    }

    private struct SavedHold: Codable {
        let hold: QueryHold<Q>
        let count: Int
    }

    /// Reads a cache as it was; what was being asked for is asked for again when the store begins.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        requests = try container.decode(EntityTable<QueryRequest<Q>>.self, forKey: .requests)
        waiting = try container.decode(EntityTable<QueryRequest<Q>>.self, forKey: .waiting)
        held = try container.decode([Q].self, forKey: .held)
        wanted = try container.decode([Q].self, forKey: .wanted)
        stated = try container.decode([Q].self, forKey: .stated)
        for saved in try container.decode([SavedHold].self, forKey: .holds) {
            holds[saved.hold] = saved.count
        }
        nextRequest = try container.decode(Int.self, forKey: .nextRequest)
        isInSight = try container.decode(Bool.self, forKey: .isInSight)
        isOnline = try container.decode(Bool.self, forKey: .isOnline)
        generation = try container.decode(Int.self, forKey: .generation)
        for saved in try container.decode(EntityTable<QueryEntry<Q>>.self, forKey: .entries) {
            var entry = saved
            (entry.tags, entry.fields.deadline) = ([], nil)
            byteCount += entry.fields.bytes
            entries.append(entry)
            setTags(saved.tags, of: saved.id)
            setDeadline(saved.fields.deadline, of: saved.id)
        }
        nextDeadline = deadlines.first?.at
    }

    /// Writes everything, so that the actions after a snapshot change what it was made of.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(entries, forKey: .entries)
        try container.encode(requests, forKey: .requests)
        try container.encode(waiting, forKey: .waiting)
        try container.encode(held, forKey: .held)
        try container.encode(wanted, forKey: .wanted)
        try container.encode(stated, forKey: .stated)
        let saved = holds.map { SavedHold(hold: $0.key, count: $0.value) }
        try container.encode(
            saved.sorted { $0.hold.process < $1.hold.process }, forKey: .holds)
        try container.encode(nextRequest, forKey: .nextRequest)
        try container.encode(isInSight, forKey: .isInSight)
        try container.encode(isOnline, forKey: .isOnline)
        try container.encode(generation, forKey: .generation)
    }
}
