// SPDX-License-Identifier: MIT
#if Server

/// An unguessable name of 128 random bits, in 32 hexadecimal digits.
struct RandomID: Hashable, Sendable, CustomStringConvertible {
    let description: String

    init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    init(using generator: inout some RandomNumberGenerator) {
        let bits = UInt128.random(in: 0...UInt128.max, using: &generator)
        let digits = String(bits, radix: 16)
        self.description = String(repeating: "0", count: 32 - digits.count) + digits
    }
}
#endif
