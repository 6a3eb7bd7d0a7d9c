// SPDX-License-Identifier: MIT
#if Server

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How many resources of a ``PageServer`` its clients may use, and for how long.
///
/// An IPv6 address counts together with its whole network (the first 64 bits). Behind a proxy, all
/// clients have the proxy's address: there, ``connectionsPerAddress`` and ``streamsPerAddress``
/// apply to the proxy, and should be as large as ``connections`` and ``streams``.
public struct ServerLimits: Sendable {
    /// The maximum number of open connections; nil for the number of files that the process may
    /// open, less an eighth (at least 64) as reserve, and at most 16,384.
    ///
    /// A number that leaves no reserve is lowered. When the limit is reached, connections
    /// without a request in progress are closed, the longest idle first; if all have one, a new
    /// connection waits until one ends.
    public var connections: Int?
    /// The maximum number of open connections per address; nil for half of ``connections``.
    ///
    /// Another one is closed, unless the address has one without a request, which is then closed
    /// instead.
    public var connectionsPerAddress: Int?
    /// The maximum number of open event streams, never more than three quarters of ``connections``;
    /// others are answered with 503.
    public var streams = 4_096
    /// The maximum number of open event streams per visitor; others are answered with 429.
    public var streamsPerVisitor = 32
    /// The maximum number of open event streams per address; others are answered with 429; nil for
    /// half of ``streams``.
    public var streamsPerAddress: Int?
    /// How many bytes may wait for slow readers; what several readers wait for counts once.
    ///
    /// If more would wait, the readers that have waited longest are cut off. Their browsers come
    /// back for what they lack.
    public var backlog = 64 * 1_024 * 1_024
    /// The time from a new connection to the complete head of its first request.
    public var silence: Duration = .seconds(10)
    /// The time from an answer to the complete head of the connection's next request.
    public var keepAlive: Duration = .seconds(30)
    /// The time that a request's body, or what is sent to a client, may take in addition to the
    /// time it needs at ``rate``.
    public var transfer: Duration = .seconds(20)
    /// The minimum rate of a body, and of a client that reads, in bytes per second.
    public var rate = 1_024
    /// How many screens with their own URLs a visitor may request at once; then eight a second.
    ///
    /// Only screens that aren't drawn yet count. Above the limit, documents are answered with 429.
    public var screens = 128

    /// How many files visitors may send, and how large they may be.
    public var uploads = UploadLimits()

    /// Creates the standard limits.
    public init() {}
}

extension ServerLimits {
    /// The limits as numbers, for a process that may open this many files.
    func resolved(descriptors: Int = Self.descriptors) -> ServerLimits {
        var limits = self
        let reserve = max(descriptors / 8, min(64, descriptors / 2))
        let room = max(descriptors - reserve, 1)
        let connections = min(max(self.connections ?? 16_384, 1), room)
        limits.connections = connections
        limits.connectionsPerAddress = min(
            max(connectionsPerAddress ?? connections / 2, 1), connections)
        limits.streams = min(streams, max(connections * 3 / 4, 1))
        limits.streamsPerAddress = min(
            max(streamsPerAddress ?? limits.streams / 2, 1), limits.streams)
        limits.rate = max(rate, 1)
        return limits
    }

    /// How many connections are accepted: a few more than may stay, for those that are closing.
    var acceptedConnections: Int {
        let connections = connections ?? 1
        return connections + min(max(connections / 16, 4), 64)
    }

    /// How many files the process may open.
    static var descriptors: Int {
        var limit = rlimit()
        #if canImport(Glibc) && !canImport(Darwin)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return 256 }
        return Int(clamping: limit.rlim_cur)
    }
}
#endif
