// SPDX-License-Identifier: MIT

/// A short name that follows from some bytes: FNV-1a with 128 bits (Fowler, Noll and Vo).
///
/// It notices damage and distinguishes things; it is no protection against forgery.
struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
    let description: String

    init(_ bytes: some Sequence<UInt8>) {
        let prime: UInt128 = 1 << 88 | 0x13B
        let offset: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
        let value = bytes.reduce(offset) { ($0 ^ UInt128($1)) &* prime }
        let digits = String(value, radix: 16)
        description = String(repeating: "0", count: 32 - digits.count) + digits
    }
}
