// SPDX-License-Identifier: MIT

/// Random numbers that are the same for the same seed, everywhere and for ever.
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number below a bound.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

    /// Whether something that happens once in a number of times happens now.
    mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

    /// One of several.
    mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

    /// One of several, each as likely as its weight says.
    mutating func pick<T>(weighted choices: [(Int, T)]) -> T {
        var left = below(choices.reduce(0) { $0 + $1.0 })
        for (weight, choice) in choices {
            left -= weight
            if left < 0 { return choice }
        }
        return choices[0].1
    }
}
