// SPDX-License-Identifier: MIT

import NIOPosix

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Finds the addresses of a name.
struct Resolver: Sendable {
    let addresses: @Sendable (_ host: String) async -> [IPAddress]

    /// The resolver of this machine; it blocks, so it is asked on a thread for that.
    static let system = Resolver { host in
        (try? await NIOThreadPool.singleton.runIfActive { systemAddresses(of: host) }) ?? []
    }

    private static func systemAddresses(of host: String) -> [IPAddress] {
        var hints = addrinfo()
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list, next: { $0?.pointee.ai_next })
            .compactMap { $0.flatMap { address(of: $0.pointee) } }
    }

    private static func address(of info: addrinfo) -> IPAddress? {
        switch info.ai_family {
        case AF_INET:
            info.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { IPAddress(bytes: Array($0)) }
            }
        case AF_INET6:
            info.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { IPAddress(bytes: Array($0)) }
            }
        default: nil
        }
    }
}
