// SPDX-License-Identifier: MIT

/// Gives ids, the same ones in every run with the same seed.
///
/// A source is a place in a stream of ids; copies share it, and any thread may use it. Ids are hard
/// to meet twice, not hard to guess.
public struct IDSource: Sendable {
    private let random: RandomSource

    /// A source with a seed of the system.
    public init() {
        random = RandomSource()
    }

    /// A source with a seed of its own.
    public init(seed: UInt64) {
        random = RandomSource(seed: seed)
    }

    private init(_ random: RandomSource) {
        self.random = random
    }

    /// The next id.
    public func next() -> UniqueID {
        UniqueID(random.next(), random.next())
    }

    /// A source of its own for someone who is known by numbers.
    func stream(_ first: UInt64, _ second: UInt64, _ third: UInt64) -> IDSource {
        IDSource(random.stream(first, second, third))
    }
}
