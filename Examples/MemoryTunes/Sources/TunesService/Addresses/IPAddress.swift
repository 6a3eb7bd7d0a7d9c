// SPDX-License-Identifier: MIT

/// The address of a machine, and whether everybody may reach it.
struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// Four bytes of IPv4, or sixteen of IPv6.
    let bytes: [UInt8]

    init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    init(v4 value: UInt32) {
        bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// Whether the address belongs to a machine on the public internet.
    ///
    /// Everything that the registries of IANA keep for special purposes does not (RFC 6890): this
    /// machine, private and link-local networks, documentation, multicast, and what is unassigned.
    var isPublic: Bool {
        bytes.count == 4 ? Self.isPublic(v4: value(of: bytes)) : isPublicV6
    }

    var description: String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2)
            .map { String(value(of: bytes[$0..<$0 + 2]), radix: 16) }.joined(separator: ":")
    }

    private var isPublicV6: Bool {
        // Global unicast is 2000::/3 (RFC 4291 § 2.4); the rest, `::ffff:0:0/96` included, is not.
        guard bytes[0] & 0xE0 == 0x20 else { return isPublicBehindNAT64 }
        switch value(of: bytes[0..<4]) {
        case 0x2001_0000...0x2001_01FF: return false  // protocols of the IETF, Teredo among them
        case 0x2001_0DB8: return false  // documentation
        case 0x2002_0000...0x2002_FFFF:  // 6to4 (RFC 3056) holds an IPv4 address
            return Self.isPublic(v4: value(of: bytes[2..<6]))
        case 0x3FFF_0000...0x3FFF_0FFF: return false  // documentation
        default: return true
        }
    }

    /// 64:ff9b::/96 (RFC 6052) leads to the IPv4 address at its end.
    private var isPublicBehindNAT64: Bool {
        let prefix: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]
        return bytes.starts(with: prefix) && Self.isPublic(v4: value(of: bytes[12..<16]))
    }

    private static func isPublic(v4 value: UInt32) -> Bool {
        let special: [(network: UInt32, length: UInt32)] = [
            (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8),
            (0xA9FE_0000, 16), (0xAC10_0000, 12), (0xC000_0000, 24), (0xC000_0200, 24),
            (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xC633_6400, 24),
            (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
        ]
        return !special.contains { (value ^ $0.network) >> (32 - $0.length) == 0 }
    }
}

/// The number that some bytes spell, the highest first.
private func value(of bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
}
