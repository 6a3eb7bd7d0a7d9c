// SPDX-License-Identifier: MIT
#if Server

import NIOCore

/// What a connection is counted under: an IPv4 address, or the network of an IPv6 one.
///
/// A household has 2⁶⁴ IPv6 addresses (RFC 6177), so the lower half identifies no one.
enum ClientAddress: Hashable, Sendable {
    case v4(UInt32)
    case v6(UInt64)
    /// An address of this machine, such as a socket with a path.
    case local

    init(_ address: SocketAddress?) {
        // Both begin with family and port, in four bytes; IPv6 has four more before the address.
        let bytes =
            address?.withSockAddr { Array(UnsafeRawBufferPointer(start: $0, count: $1)) } ?? []
        switch address {
        case .v4 where bytes.count >= 8: self = .v4(UInt32(Self.number(bytes[4..<8])))
        case .v6 where bytes.count >= 24: self.init(v6: Array(bytes[8..<24]))
        default: self = .local
        }
    }

    /// The last address of a header such as `X-Forwarded-For`: an IPv4 address, possibly with a
    /// port, or an IPv6 address, possibly in brackets; nil if there is none.
    init?(forwarded header: String) {
        guard var text = header.split(separator: ",").last?.drop(while: { $0 == " " }) else {
            return nil
        }
        while text.last == " " { text.removeLast() }
        if text.first == "[" {
            text = text.dropFirst().prefix { $0 != "]" }
        } else if text.count(where: { $0 == ":" }) == 1 {
            text = text.prefix { $0 != ":" }
        }
        guard let address = try? SocketAddress(ipAddress: String(text), port: 0) else { return nil }
        self.init(address)
    }

    /// The sixteen bytes of an IPv6 address; one that stands for an IPv4 address counts as that.
    private init(v6 bytes: [UInt8]) {
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
        self = isMapped ? .v4(UInt32(Self.number(bytes[12...]))) : .v6(Self.number(bytes[..<8]))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
#endif
