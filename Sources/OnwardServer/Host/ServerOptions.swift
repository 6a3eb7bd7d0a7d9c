// SPDX-License-Identifier: MIT
#if Server

public import Metrics
public import Logging

/// Where and within which limits a ``PageServer`` serves.
public struct ServerOptions: Sendable {
    /// The address to bind to; loopback by default.
    public var host = "127.0.0.1"
    /// The port to bind to; 0 for any free one, which is passed to ``onListening``.
    public var port = 8080
    /// The host names at which the page may be reached, without ports.
    ///
    /// A request with another `Host` is refused (421), so that a foreign name pointing to this
    /// machine doesn't reach the page. Behind a proxy, use the public names.
    public var hostNames: Set<String> = ["localhost", "127.0.0.1", "[::1]"]
    /// The token that lets a client in; nil lets in everyone who reaches the server.
    ///
    /// A browser presents it once, as `?token=…`, and gets a cookie; a program sends the header
    /// `Authorization: Bearer …`. Use letters, digits and `-._~`, long and random. Without TLS,
    /// anyone on the network path can read it.
    public var accessToken: String?
    /// The header in which a proxy in front of the server names its client, such as
    /// `X-Forwarded-For`; nil without a proxy.
    ///
    /// The last address in the header counts, which the proxy itself has written: anything a client
    /// sends comes before it. Limits per address then apply to the clients rather than to the
    /// proxy; those on connections still apply to the proxy. Without a proxy, anyone could claim
    /// any address: leave it nil.
    public var clientAddressHeader: String?
    /// Whether the visitor's cookie is withheld from plain HTTP (`Secure`, RFC 6265 § 4.1.2.5).
    ///
    /// Set it to true behind a proxy that uses HTTPS. Browsers that obey the attribute strictly
    /// don't send the cookie over plain HTTP, not even on loopback: each request would be a new
    /// visitor's.
    public var cookiesAreSecure = false
    /// The name of the visitor's cookie, a token (RFC 6265 § 4.1.1); nil for `onward-` with the
    /// name of the state's type and, if the page's address has one, the port.
    ///
    /// Browsers send cookies to all ports of a host, so two apps on one host need two names. Behind
    /// a proxy that serves several apps of the same type at one address, name them explicitly.
    public var cookieName: String?
    /// What documents may load and run beside the page's own files; nothing by default.
    public var contentSecurity = ContentSecurity()
    /// Where the files that visitors send are, until effects take them; nil to accept none.
    public var uploads: Uploads?
    /// What is compressed for browsers that can unpack it.
    public var compression = Compression.sharedPages
    /// How many resources clients may use, and for how long.
    public var limits = ServerLimits()
    /// How long the server waits for open requests when it stops, before closing their connections.
    public var stopDeadline: Duration = .seconds(10)
    /// How long an event stream may be silent before it sends a sign of life.
    public var heartbeat: Duration = .seconds(15)
    /// The minimum time between two renderings of a page for its open streams.
    ///
    /// The first commit after a pause is sent at once; those that follow within this time are sent
    /// together, as the newest page.
    public var frame: Duration = .milliseconds(16)
    /// Measures ``heartbeat``, ``frame`` and the idle time of visitors.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Where the server logs.
    ///
    /// Cookies, request bodies and states are never logged.
    public var logger = Logger(label: "onward.server")
    /// Where metrics go: counters `onward_server_requests` and `onward_server_dispatches` (by
    /// `result`), the meter `onward_server_streams` (open streams).
    public var metrics: any MetricsFactory = MetricsSystem.factory
    /// Called once the server is ready, with the port it is bound to.
    public var onListening: @Sendable (_ port: Int) -> Void = { _ in }

    /// Creates options for loopback, port 8080.
    public init() {}

    /// Creates options for loopback and another port; 0 for any free one.
    public init(port: Int) { self.port = port }
}
#endif
