// SPDX-License-Identifier: MIT
#if All

internal import Onward
internal import OnwardJournal

/// The appends of one journal, in the order of their calls: a pure machine.
///
/// One flight is under way at a time. What comes meanwhile waits, and those of it that follow one another are the next
/// flight: one statement, which is done whole or not at all. So an append is never sent before the one that it follows
/// is answered, unless both share a statement.
struct AppendQueue<Caller> {
    struct Append {
        let entries: [JournalEntry]
        let expected: JournalPosition
        /// When its caller is answered at the latest.
        let deadline: ContinuousClock.Instant
        /// nil once it is answered.
        var caller: Caller?
    }

    enum Answer {
        /// Nobody flies: begin.
        case begins
        case waits
        /// More entries wait than may.
        case refused
    }

    /// How many entries and bytes share a flight; one append is never divided.
    static var entriesPerFlight: Int { 1_000 }
    static var bytesPerFlight: Int { 4 << 20 }

    private let limit: Int
    private var waiting: [Append] = []
    private var flying: [Append] = []
    private var isFlying = false
    private var isWatched = false
    /// Entries of `waiting`.
    private var count = 0

    init(limit: Int) { self.limit = limit }

    mutating func add(_ append: Append) -> Answer {
        guard waiting.isEmpty || count + append.entries.count <= limit else { return .refused }
        waiting.append(append)
        count += append.entries.count
        guard !isFlying else { return .waits }
        isFlying = true
        return .begins
    }

    /// The appends that fly next; nil, and the next call begins anew, where there are none.
    mutating func next() -> [Append]? {
        guard let first = waiting.first else {
            isFlying = false
            return nil
        }
        var length = 0
        var entries = 0
        var bytes = 0
        var end = first.expected
        for append in waiting {
            entries += append.entries.count
            bytes += append.entries.reduce(0) { $0 + $1.payload.count }
            let fits = entries <= Self.entriesPerFlight && bytes <= Self.bytesPerFlight
            guard append.expected == end, length == 0 || fits else { break }
            end = append.entries.last?.position ?? end
            length += 1
        }
        flying = Array(waiting.prefix(length))
        waiting.removeFirst(length)
        count -= flying.reduce(0) { $0 + $1.entries.count }
        return flying
    }

    /// Ends the flight; those of its callers that are to be answered, each with where it wanted to append.
    mutating func land() -> [(caller: Caller, expected: JournalPosition)] {
        defer { flying = [] }
        return flying.compactMap { append in append.caller.map { ($0, append.expected) } }
    }

    /// When somebody has to be answered next; nil where nobody waits.
    var deadline: ContinuousClock.Instant? {
        (flying + waiting).filter { $0.caller != nil }.map(\.deadline).min()
    }

    /// True where somebody has to begin to answer late callers.
    mutating func mustBeWatched() -> Bool {
        defer { isWatched = true }
        return !isWatched
    }

    /// When late callers have to be answered next; nil, and that ends, where nobody waits.
    mutating func nextDeadline() -> ContinuousClock.Instant? {
        let next = deadline
        isWatched = next != nil
        return next
    }

    /// Takes out who has waited for too long: who is in flight, with an unknown outcome, and who is never sent.
    mutating func expire(at now: ContinuousClock.Instant) -> (unknown: [Caller], unsent: [Caller]) {
        var unknown: [Caller] = []
        for index in flying.indices where flying[index].deadline <= now {
            if let caller = flying[index].caller { unknown.append(caller) }
            flying[index].caller = nil
        }
        let late = waiting.filter { $0.deadline <= now }
        waiting.removeAll { $0.deadline <= now }
        count -= late.reduce(0) { $0 + $1.entries.count }
        return (unknown, late.compactMap(\.caller))
    }
}
#endif
