// SPDX-License-Identifier: MIT

/// A source of ids that are the same in every run with the same seed.
///
/// A source is a position in a stream of ids; copies share it, and any thread may use it. Ids are
/// unlikely to occur twice, but not hard to guess.
public struct IDSource: Sendable {
    private enum Kind: Sendable {
        case random(RandomSource)
        case numbered(Guarded<UInt64>)
    }

    private let kind: Kind

    /// Creates a source with a seed from the system.
    public init() {
        kind = .random(RandomSource())
    }

    /// Creates a source with a given seed.
    public init(seed: UInt64) {
        kind = .random(RandomSource(seed: seed))
    }

    private init(_ kind: Kind) {
        self.kind = kind
    }

    /// Returns a source that counts up from `UniqueID(number: 1)`.
    ///
    /// Use it in tests, which can then state the ids that they expect. All effects of a store share
    /// the count, so the ids depend on the order in which effects request them.
    public static func numbered() -> IDSource {
        IDSource(.numbered(Guarded(0)))
    }

    /// The next id.
    public func next() -> UniqueID {
        switch kind {
        case .random(let random): return UniqueID(random.next(), random.next())
        case .numbered: return UniqueID(number: nextNumber())
        }
    }

    /// Whether it counts.
    var isNumbered: Bool {
        if case .numbered = kind { true } else { false }
    }

    /// A seed for ids of their own.
    func nextSeed() -> UInt64 {
        guard case .random(let random) = kind else { return nextNumber() }
        return random.next()
    }

    /// The next number of a source that counts.
    func nextNumber() -> UInt64 {
        switch kind {
        case .random(let random): random.next()
        case .numbered(let last):
            last.withValue { last in
                last += 1
                return last
            }
        }
    }

    /// A separate source for something identified by numbers; a source that counts is shared.
    package func stream(_ first: UInt64, _ second: UInt64, _ third: UInt64) -> IDSource {
        guard case .random(let random) = kind else { return self }
        return IDSource(.random(random.stream(first, second, third)))
    }
}
