// SPDX-License-Identifier: MIT

/// A source of random numbers that are the same in every run with the same seed.
///
/// A source is a position in a stream of numbers; copies share it, and any thread may use it. The
/// generator is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// 2014): good for games and jitter, not for secrets.
public struct RandomSource: RandomNumberGenerator, Sendable {
    private let state: Guarded<UInt64>
    private let seed: UInt64

    /// Creates a source with a seed from the system.
    public init() {
        self.init(seed: .random(in: .min ... .max))
    }

    /// Creates a source with a given seed.
    public init(seed: UInt64) {
        self.seed = seed
        state = Guarded(seed)
    }

    /// The next number.
    public func next() -> UInt64 {
        state.withValue { state in
            state &+= Self.step
            return Self.mixed(state)
        }
    }

    /// A separate source for something identified by numbers, unaffected by what others take from
    /// this one.
    package func stream(_ numbers: UInt64...) -> RandomSource {
        RandomSource(seed: numbers.reduce(seed) { Self.mixed(($0 ^ $1) &+ Self.step) })
    }

    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    private static func mixed(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
