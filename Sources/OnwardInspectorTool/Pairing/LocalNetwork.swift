// SPDX-License-Identifier: MIT
#if All

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The addresses at which other devices reach this machine.
enum LocalNetwork {
    /// The IPv4 addresses of the interfaces that are up, without loopback.
    static var addresses: [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [String] = []
        var next = first
        while let interface = next {
            next = interface.pointee.ifa_next
            let flags = Int32(truncatingIfNeeded: interface.pointee.ifa_flags)
            let up = Int32(truncatingIfNeeded: IFF_UP),
                loopback = Int32(truncatingIfNeeded: IFF_LOOPBACK)
            guard flags & up != 0, flags & loopback == 0, let address = interface.pointee.ifa_addr,
                address.pointee.sa_family == sa_family_t(AF_INET)
            else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = getnameinfo(
                address, size, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            if code == 0 {
                found.append(
                    String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
            }
        }
        return found
    }
}
#endif
