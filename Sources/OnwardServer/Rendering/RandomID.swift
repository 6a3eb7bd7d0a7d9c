// SPDX-License-Identifier: MIT
#if Server

/// An unguessable name of 128 random bits, in 32 hexadecimal digits.
struct RandomID: Hashable, Sendable, CustomStringConvertible {
    let description: String

    /// How many characters it has.
    static let length = 32

    init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    init(using generator: inout some RandomNumberGenerator) {
        let bits = UInt128.random(in: 0...UInt128.max, using: &generator)
        let digits = String(bits, radix: 16)
        self.description = String(repeating: "0", count: Self.length - digits.count) + digits
    }
}

extension Sequence<UInt8> {
    /// Two hexadecimal digits for each byte.
    var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
#endif
