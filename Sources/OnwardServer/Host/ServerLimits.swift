// SPDX-License-Identifier: MIT
#if Server

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How much of a ``PageServer`` its clients may take, and for how long.
///
/// An IPv6 address counts together with its whole network (the first 64 bits). Behind a proxy all
/// clients have the proxy's address: there, ``connectionsPerAddress`` and ``streamsPerAddress`` belong
/// to the proxy, and should be as large as ``connections`` and ``streams`` here.
public struct ServerLimits: Sendable {
    /// The largest number of open connections; nil for as many as the process may have files open, less
    /// a reserve of an eighth, and 16,384 at most.
    ///
    /// A larger number than the process's own limit allows counts as nil. When there are that many,
    /// those without a request under way are closed, the longest quiet first; when all have one, a new
    /// connection waits until one ends.
    public var connections: Int?
    /// The largest number of open connections of one address; nil for half of ``connections``.
    ///
    /// A further one is closed, unless the address has one without a request, which is then closed
    /// instead.
    public var connectionsPerAddress: Int?
    /// The largest number of open event streams, beyond which one is answered with 503; never more than
    /// three quarters of ``connections``.
    public var streams = 4_096
    /// The largest number of open event streams of one visitor, beyond which one is answered with 429.
    public var streamsPerVisitor = 32
    /// The largest number of open event streams of one address, beyond which one is answered with 429;
    /// nil for half of ``streams``.
    public var streamsPerAddress: Int?
    /// How many bytes may wait for readers that take them slowly; what several wait for counts once.
    ///
    /// Where more would wait, those that have waited longest are cut off. Their browsers come back for what
    /// they lack.
    public var backlog = 64 * 1_024 * 1_024
    /// How long a new connection may take until the head of its first request is complete.
    public var silence: Duration = .seconds(10)
    /// How long a connection may take from an answer until the head of the next request is complete.
    public var keepAlive: Duration = .seconds(30)
    /// How long a request's body, or what is sent to a client, may take, besides the time it needs at
    /// ``rate``.
    public var transfer: Duration = .seconds(20)
    /// The minimum rate of a body and of a client that reads, in bytes per second.
    public var rate = 1_024
    /// How many screens with URLs of their own a visitor may ask for at once; after that eight a second.
    ///
    /// Only screens that aren't drawn already count. Beyond that a document is answered with 429.
    public var screens = 128

    /// The standard limits.
    public init() {}
}

extension ServerLimits {
    /// The limits in numbers, for a process that may have so many files open.
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

    /// How many connections are accepted: a few more than may stay, for those that are leaving.
    var acceptedConnections: Int {
        let connections = connections ?? 1
        return connections + min(max(connections / 16, 4), 64)
    }

    /// How many files the process may have open.
    static var descriptors: Int {
        var limit = rlimit()
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return 256 }
        return Int(clamping: limit.rlim_cur)
    }
}
#endif
