// SPDX-License-Identifier: MIT

/// Writes pictures as PNG (ISO/IEC 15948), without compression: they stay on this machine.
enum PNG {
    /// A file of pixels with three bytes each, row by row.
    static func encode(_ pixels: [UInt8], width: Int, height: Int) -> [UInt8] {
        let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 2, 0, 0, 0]
        var rows: [UInt8] = []
        rows.reserveCapacity(pixels.count + height)
        for row in 0..<height {
            rows.append(0)  // no filter
            rows += pixels[row * width * 3..<(row + 1) * width * 3]
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", header) + chunk("IDAT", stored(rows)) + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        return bigEndian(UInt32(content.count)) + body + bigEndian(checksum(body))
    }

    /// The bytes as a zlib stream (RFC 1950) of stored blocks (RFC 1951 § 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        let starts = stride(from: 0, to: bytes.count, by: 65_535)
        for start in starts {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            let length = UInt16(block.count)
            stream.append(block.endIndex == bytes.count ? 1 : 0)
            for half in [length, ~length] { stream += [UInt8(half & 0xFF), UInt8(half >> 8)] }
            stream += block
        }
        return stream + bigEndian(adler(bytes))
    }

    /// Adler-32 (RFC 1950 § 9).
    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    /// CRC-32 of a chunk (ISO/IEC 15948, annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        let table = (UInt32(0)..<256).map { index in
            (0..<8).reduce(index) { value, _ in
                value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
            }
        }
        return ~bytes.reduce(~0) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
