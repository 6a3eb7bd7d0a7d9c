// SPDX-License-Identifier: MIT

/// The FNV-1a hash (Fowler, Noll, Vo) with 64 bits: unlike `Hasher`, the same on every machine and in every run.
///
/// For names. What somebody may choose in order to collide needs another one.
package struct FNV64: Sendable {
    /// The hash of what was added.
    package var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    /// Adds bytes.
    ///
    /// - Complexity: O(bytes).
    @inlinable
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// The hash of a text in UTF-8.
    package static func hash(of text: String) -> UInt64 {
        var hash = FNV64()
        hash.add(text.utf8)
        return hash.value
    }
}
