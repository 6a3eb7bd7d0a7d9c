// SPDX-License-Identifier: MIT
#if Server

public import Hummingbird
import Logging
import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Serves a page and keeps it up to date while the store changes.
///
/// ```swift
/// let server = PageServer(page, hosting: .shared(store), assets: [.stylesheet("/style.css", css)])
/// try await server.run()      // until SIGINT or SIGTERM
/// ```
///
/// It answers `GET /` with the page, `POST /` with the outcome of an action, `GET /events` with the
/// stream of changed fragments (server-sent events), and serves the script and the assets. A GET
/// never dispatches.
///
/// Rendering and sending happen outside `dispatch`: a slow or dead reader delays nothing, and a
/// reader that falls behind skips to the newest page.
public struct PageServer<State: Sendable>: Sendable {
    let page: Page<State>
    let assets: [Asset]
    let folders: [AssetFolder]
    let endpoints: [Endpoint]
    package private(set) var options: ServerOptions
    /// The pages that are shown below their own paths.
    private(set) var mounts: [@Sendable (ServerOptions, ServerLimits) -> any MountedPage] = []
    let hosting: Hosting<State>

    /// Creates a server without running it.
    ///
    /// - Parameters:
    ///   - page: What is shown, and which actions are accepted.
    ///   - hosting: One store for everybody, or one per visitor.
    ///   - assets: Stylesheets, pictures and fonts.
    ///   - folders: Files that are looked up on request.
    ///   - endpoints: Answers for programs.
    ///   - options: Where it is served, and within which limits.
    public init(
        _ page: Page<State>, hosting: Hosting<State>, assets: [Asset] = [],
        folders: [AssetFolder] = [], endpoints: [Endpoint] = [],
        options: ServerOptions = ServerOptions()
    ) {
        self.page = page
        self.hosting = hosting
        self.assets = assets
        self.folders = folders
        self.endpoints = endpoints
        self.options = options
    }

    /// Returns the server with another page below a path, such as a tool beside an app.
    ///
    /// Only the contents of the other server are used, not its options: those of this server apply
    /// to both, including its host names and its access token. Everything that it serves is below
    /// the path, including its endpoints and assets; in its layout `{{root}}` is the path.
    ///
    /// - Parameters:
    ///   - other: The other page. Its URLs begin with the path: its codec reads and writes them so.
    ///   - path: A path without a trailing slash, such as `/tool`, that no screen of this page
    ///     uses.
    /// - Returns: A server of both.
    public func mounting<Other>(_ other: PageServer<Other>, at path: String) -> PageServer {
        precondition(
            path.hasPrefix("/") && !path.hasSuffix("/"),
            "A page is mounted at a path such as \"/tool\", not at \"\(path)\".")
        var server = self
        server.mounts.append { options, limits in
            var other = other
            other.options = options
            return PageHost(other, at: path, limits: limits)
        }
        return server
    }

    /// Serves until SIGINT or SIGTERM, then ends open streams and returns.
    ///
    /// Requests in progress then have ``ServerOptions/stopDeadline`` to end; two seconds after that
    /// the function returns even if something in the app never ends.
    ///
    /// - Throws: ``PageError`` if the page of a shared store can't be drawn, ``ServerError`` if the
    ///   address can't be bound.
    public func run() async throws {
        do {
            try await StoppableRun(application(), options: options).run()
        } catch let error as IOError {
            let code: ServerError.Code =
                error.errnoCode == EADDRINUSE ? .addressInUse : .addressUnavailable
            throw ServerError(code: code, host: options.host, port: options.port)
        }
    }

    /// The server as a Hummingbird application, to run in your own service group or in a test.
    public func application() -> some ApplicationProtocol {
        let limits = options.limits.resolved()
        let host = PageHost(self, limits: limits)
        let connections = Connections(limits, stopDeadline: options.stopDeadline)
        var application = Application(
            router: host.router(),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [ConnectionHandler(connections)],
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 16 * 1_024, maxHeaderListSize: 32 * 1_024,
                        maxHeaderFieldCount: 128))),
            configuration: .init(
                address: .hostname(options.host, port: options.port), backlog: 1_024,
                availableConnectionsDelegate: .maximum(
                    limits.acceptedConnections, logger: options.logger)),
            services: host.sweepers + [UploadSweeper(options: options)],
            onServerRunning: { [options] channel in
                if let port = channel.localAddress?.port { options.onListening(port) }
            },
            logger: options.logger)
        // Finds a page that can't be drawn before the first visitor does.
        application.beforeServerStarts { [options] in
            try await host.drawFront()
            do throws(UploadError) {
                // Removes what a run that was killed has left behind.
                try await options.uploads?.open()
            } catch {
                options.logger.error(
                    "Files of visitors can't be accepted.", metadata: ["reason": "\(error)"])
            }
        }
        return application
    }
}
#endif
