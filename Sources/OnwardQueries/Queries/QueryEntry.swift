// SPDX-License-Identifier: MIT

public import Onward

/// What a cache knows of one key.
///
/// A copy shares what it is made of until it is changed, as subscribers are notified with copies.
public struct QueryEntry<Q: Query>: Identifiable, Equatable, Codable, Sendable {
    @usableFromInline var storage: QueryEntryStorage<Q>

    init(_ key: Q) { self.init(QueryEntryFields(id: key)) }

    private init(_ fields: QueryEntryFields<Q>) { storage = QueryEntryStorage(fields) }

    /// The entry once an answer was taken.
    ///
    /// At once, as each field that is set makes another object.
    func answered(
        _ answer: Q.Answer?, at time: Timestamp, isStale: Bool, bytes: Int
    ) -> QueryEntry {
        let old = storage.fields.value
        // An equal answer keeps the storage of the old one, which is then known to be unchanged.
        return QueryEntry(
            QueryEntryFields(
                id: id, value: old == answer ? old : answer, answeredAt: time, tags: tags,
                isStale: isStale, isFetching: isFetching, isWithheld: answer == nil,
                isWanted: isWanted, bytes: bytes, touchedAt: storage.fields.touchedAt,
                deadline: storage.fields.deadline))
    }

    @usableFromInline var fields: QueryEntryFields<Q> {
        @inlinable get { storage.fields }
        set { storage = QueryEntryStorage(newValue) }
    }

    /// The key.
    @inlinable public var id: Q { storage.fields.id }
    /// The last answer; it stays while a newer one is asked for, and after a failure.
    public internal(set) var value: Q.Answer? {
        @inlinable get { storage.fields.value }
        set { fields.value = newValue }
    }
    /// When the last answer came.
    public internal(set) var answeredAt: Timestamp? {
        @inlinable get { storage.fields.answeredAt }
        set { fields.answeredAt = newValue }
    }
    /// Why the last request failed; nil once a later one is answered.
    public internal(set) var failure: Q.Failure? {
        @inlinable get { storage.fields.failure }
        set { fields.failure = newValue }
    }
    /// The tags of the answer.
    public internal(set) var tags: [QueryTag] {
        @inlinable get { storage.fields.tags }
        set { fields.tags = newValue }
    }
    /// Whether the answer is too old, or was invalidated.
    public internal(set) var isStale: Bool {
        @inlinable get { storage.fields.isStale }
        set { fields.isStale = newValue }
    }
    /// Whether the key is being asked for, or waits for its turn.
    public internal(set) var isFetching: Bool {
        @inlinable get { storage.fields.isFetching }
        set { fields.isFetching = newValue }
    }
    /// Whether the app's state or a handle wants the key.
    public internal(set) var isWanted: Bool {
        @inlinable get { storage.fields.isWanted }
        set { fields.isWanted = newValue }
    }

    /// Reads what was written.
    public init(from decoder: any Decoder) throws {
        storage = QueryEntryStorage(try QueryEntryFields(from: decoder))
    }

    /// Writes all of it, without the answer if the query is transient.
    public func encode(to encoder: any Encoder) throws {
        var saved = fields
        if Q.isTransient {
            saved.isWithheld = hasAnswer
            (saved.value, saved.tags, saved.bytes) = (nil, [], 0)
        } else {
            saved.isWithheld = false
        }
        try saved.encode(to: encoder)
    }

    /// Whether it was answered, also where the answer itself was written nowhere.
    var hasAnswer: Bool { fields.value != nil || fields.isWithheld }

    /// Whether nothing differs.
    @inlinable
    public static func == (a: QueryEntry, b: QueryEntry) -> Bool {
        a.storage === b.storage || a.storage.fields == b.storage.fields
    }

    /// What to show.
    public var status: QueryStatus<Q.Failure> {
        if let failure, !isFetching { return .failed(failure) }
        guard value != nil else { return isFetching ? .loading : .idle }
        return isStale ? .stale : .fresh
    }
}

/// What a cache knows of one key, where copies of its entry share it.
@usableFromInline
final class QueryEntryStorage<Q: Query>: Sendable {
    @usableFromInline let fields: QueryEntryFields<Q>

    init(_ fields: QueryEntryFields<Q>) { self.fields = fields }
}

/// What a cache knows of one key, as it is written.
@usableFromInline
struct QueryEntryFields<Q: Query>: Equatable, Codable, Sendable {
    @usableFromInline let id: Q
    @usableFromInline var value: Q.Answer?
    @usableFromInline var answeredAt: Timestamp?
    @usableFromInline var failure: Q.Failure?
    @usableFromInline var tags: [QueryTag] = []
    @usableFromInline var isStale = false
    @usableFromInline var isFetching = false
    /// Whether there was an answer that was written nowhere; true only until a store starts with it.
    @usableFromInline var isWithheld = false
    @usableFromInline var isWanted = false
    /// What the answer counts, as ``Fetch/keeping(count:bytes:unused:measuring:)`` measures it.
    @usableFromInline var bytes = 0
    /// When it was last wanted, answered or failed: a poll and the end of an unwanted key depend on it.
    @usableFromInline var touchedAt: Timestamp?
    /// When something has to be done next; also the place of the key in the table of deadlines.
    @usableFromInline var deadline: Timestamp?

    /// Whether nothing differs; written out, so that programs compile it for their own answers.
    @inlinable
    static func == (a: QueryEntryFields, b: QueryEntryFields) -> Bool {
        a.isFetching == b.isFetching && a.isStale == b.isStale && a.isWanted == b.isWanted
            && a.isWithheld == b.isWithheld && a.answeredAt == b.answeredAt
            && a.touchedAt == b.touchedAt && a.deadline == b.deadline && a.bytes == b.bytes
            && a.id == b.id
            && a.value == b.value && a.failure == b.failure && a.tags == b.tags
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
