// SPDX-License-Identifier: MIT

/// What an action was given when it was dispatched, for the reducers that ask for it: what its ids are made of, when that
/// was, who did it.
///
/// It is recorded with the entry, so that a replay, a replica and a generated test make the same of the action.
public struct EntryStamp: Sendable, Hashable {
    /// The parts, kept apart: an entry that has no stamp has only the place of a reference.
    private final class Parts: Sendable {
        let seed: UInt64
        let numbers: [UInt64]
        let time: Timestamp
        let author: String?

        init(_ seed: UInt64, _ numbers: [UInt64], _ time: Timestamp, _ author: String?) {
            (self.seed, self.numbers, self.time, self.author) = (seed, numbers, time, author)
        }
    }

    private let parts: Parts

    /// What ids are made of.
    public var seed: UInt64 { parts.seed }
    /// The numbers of the ids, where a test counts them; then there are no others.
    public var numbers: [UInt64] { parts.numbers }
    /// When the action was dispatched, by the store's wall clock.
    public var time: Timestamp { parts.time }
    /// Who dispatched it; nil if nobody was named.
    public var author: String? { parts.author }

    /// Makes a stamp, for logs from elsewhere.
    public init(
        seed: UInt64, numbers: [UInt64] = [], time: Timestamp, author: String? = nil
    ) {
        parts = Parts(seed, numbers, time, author)
    }

    /// The stamp of one of several actions that come of one.
    package func part(_ index: Int) -> EntryStamp {
        if index == 0 { return self }
        let seed = seed &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15
        return EntryStamp(seed: seed ^ (seed >> 31), time: time, author: author)
    }

    /// Whether both say the same.
    public static func == (one: EntryStamp, other: EntryStamp) -> Bool {
        one.parts === other.parts
            || one.seed == other.seed && one.time == other.time && one.numbers == other.numbers
                && one.author == other.author
    }

    /// Hashes what it says.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(seed)
        hasher.combine(time)
    }
}
