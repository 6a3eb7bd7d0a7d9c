// SPDX-License-Identifier: MIT

public import Onward

/// What a cache knows of one key.
public struct QueryEntry<Q: Query>: Identifiable, Equatable, Codable, Sendable {
    /// The key.
    public let id: Q
    /// The last answer; it stays while a newer one is asked for, and after a failure.
    public internal(set) var value: Q.Answer?
    /// When the last answer came.
    public internal(set) var answeredAt: Timestamp?
    /// Why the last request failed; nil once a later one is answered.
    public internal(set) var failure: Q.Failure?
    /// The tags of the answer.
    public internal(set) var tags: [QueryTag] = []
    /// Whether the answer is too old, or was invalidated.
    public internal(set) var isStale = false
    /// Whether the key is being asked for, or waits for its turn.
    public internal(set) var isFetching = false
    /// Whether there was an answer that was written nowhere; true only until a store starts with it.
    @usableFromInline var isWithheld = false
    /// Whether the app's state or a handle wants the key.
    public internal(set) var isWanted = false
    /// What the answer counts, as ``Fetch/keeping(count:bytes:unused:measuring:)`` measures it.
    @usableFromInline var bytes = 0
    /// When it was last wanted, answered or failed: a poll and the end of an unwanted key depend on it.
    @usableFromInline var touchedAt: Timestamp?
    /// When something has to be done next; also the place of the key in the table of deadlines.
    @usableFromInline var deadline: Timestamp?

    init(_ key: Q) { id = key }

    private enum CodingKeys: String, CodingKey {
        case id, value, answeredAt, failure, tags, isStale, isFetching, isWithheld, isWanted, bytes,
            touchedAt, deadline
    }

    /// Writes all of it, without the answer if the query is transient.
    public func encode(to encoder: any Encoder) throws {
        let keeps = !Q.isTransient
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(keeps ? value : nil, forKey: .value)
        try container.encodeIfPresent(answeredAt, forKey: .answeredAt)
        try container.encodeIfPresent(failure, forKey: .failure)
        try container.encode(keeps ? tags : [], forKey: .tags)
        try container.encode(isStale, forKey: .isStale)
        try container.encode(isFetching, forKey: .isFetching)
        try container.encode(keeps ? false : hasAnswer, forKey: .isWithheld)
        try container.encode(isWanted, forKey: .isWanted)
        try container.encode(keeps ? bytes : 0, forKey: .bytes)
        try container.encodeIfPresent(touchedAt, forKey: .touchedAt)
        try container.encodeIfPresent(deadline, forKey: .deadline)
    }

    /// Whether it was answered, also where the answer itself was written nowhere.
    var hasAnswer: Bool { value != nil || isWithheld }

    /// Whether nothing differs; written out, so that programs compile it for their own answers.
    @inlinable
    public static func == (a: QueryEntry, b: QueryEntry) -> Bool {
        a.isFetching == b.isFetching && a.isStale == b.isStale && a.isWanted == b.isWanted
            && a.isWithheld == b.isWithheld && a.answeredAt == b.answeredAt
            && a.touchedAt == b.touchedAt && a.deadline == b.deadline && a.bytes == b.bytes
            && a.id == b.id
            && a.value == b.value && a.failure == b.failure && a.tags == b.tags
    }

    /// What to show.
    public var status: QueryStatus<Q.Failure> {
        if let failure, !isFetching { return .failed(failure) }
        guard value != nil else { return isFetching ? .loading : .idle }
        return isStale ? .stale : .fresh
    }
}

/// What a key's answer is worth now; the last answer is in ``QueryEntry/value`` in every case.
public enum QueryStatus<Failure: Error & Equatable & Sendable>: Equatable, Sendable {
    /// There is no answer, and nobody has asked.
    case idle
    /// The first answer is being asked for.
    case loading
    /// The answer is up to date, as far as is known.
    case fresh
    /// The answer is too old, or was invalidated.
    case stale
    /// The last request failed.
    case failed(Failure)
}

/// A request that is being sent, or waits for its turn.
public struct QueryRequest<Q: Query>: Identifiable, Equatable, Codable, Sendable {
    /// Its number in its cache; numbers are never used again.
    public let id: Int
    /// What is asked.
    public let key: Q
    /// When it was sent, the last time if it was retried.
    public internal(set) var askedAt: Timestamp?
    /// How often it was sent.
    public internal(set) var attempts = 0
    /// Whether it goes on although nobody wants its key, as it was asked for by hand.
    var isByHand = false
    /// How often its answer was already out of date when it came.
    var repeats = 0
    /// What was invalidated since it was sent.
    var invalidated: Set<QueryTag> = []
    /// Whether its answer may be out of date, whatever its tags are.
    var isOutdated = false
    /// The number of mutations that were confirmed before it was sent.
    var confirmations = 0

    init(id: Int, key: Q, isByHand: Bool = false, repeats: Int = 0) {
        self.id = id
        self.key = key
        self.isByHand = isByHand
        self.repeats = repeats
    }
}

/// When something has to be done about a key.
struct QueryDeadline<Q: Query>: SortedRow, Equatable, Sendable {
    let id: Q
    let at: Timestamp

    static var order: RowOrder<QueryDeadline> { RowOrder { $0.at < $1.at } }
}

/// The keys whose answers have a tag.
struct TaggedKeys<Q: Query>: Identifiable, Equatable, Sendable {
    let id: QueryTag
    var keys: Set<Q>
}
