// SPDX-License-Identifier: MIT

/// A hash that is the same on every machine, eight bytes at a time.
///
/// Each step is reversible with respect to both the word and what came before it: two inputs of the
/// same length that differ in one word have different sums.
package struct Checksum {
    package private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

    package init() {}

    package mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0xFF51_AFD7_ED55_8CCD
        value ^= value >> 32
    }

    package mutating func add(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { add($0) }
    }

    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// Adds the number of bytes, and the bytes.
    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        add(UInt64(bytes.count))
        var offset = 0
        while offset + 8 <= bytes.count {
            add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        guard offset < bytes.count else { return }
        var rest: UInt64 = 0
        for index in offset..<bytes.count {
            rest |= UInt64(bytes[index]) << UInt64(8 * (index - offset))
        }
        add(rest)
    }
}
