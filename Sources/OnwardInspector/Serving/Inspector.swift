// SPDX-License-Identifier: MIT
#if Inspector

internal import Logging
public import Onward
public import OnwardInspection
public import OnwardServer

/// Time travel through running stores, in a browser.
///
/// ```swift
/// let inspector = Inspector()
/// inspector.attach(store, as: "shop")
/// try await inspector.run(at: 8081)       // http://127.0.0.1:8081
/// ```
///
/// A store is recorded from the moment it is attached, by a `History`: that is what it costs, whether somebody
/// watches or not. The page is an app of this library, with a store of its own. See <doc:InspectingStores>.
public final class Inspector: Sendable {
    private let stores = StoreList()
    private let apps: RemoteApps

    /// An inspector without stores.
    public init() { apps = RemoteApps(stores) }

    /// What answers programs.
    package var interface: InspectorInterface { InspectorInterface(stores: stores) }

    /// Begins to record a store, and shows it.
    ///
    /// The inspector doesn't keep the store alive. It steers it as a gate: attach it before other gates of the store.
    ///
    /// - Parameters:
    ///   - store: The store of a whole app.
    ///   - name: The name that it has in URLs; what is no letter, digit or hyphen becomes a hyphen, and a name that is
    ///     taken gets a number.
    ///   - limit: The most entries; older ones are folded into the base.
    /// - Returns: The name that it has.
    @discardableResult
    public func attach<State: Codable & Sendable>(
        _ store: Store<State>, as name: String = "store", limit: Int = 100_000
    ) -> String {
        stores.attach(store, as: name, limit: limit)
    }

    /// Begins to record a store whose state is not `Codable`: it is shown by reflection, and its log can't be written.
    ///
    /// Otherwise like the attachment of a store whose state is.
    @discardableResult
    public func attach<State: Sendable>(
        _ store: Store<State>, as name: String = "store", limit: Int = 100_000
    ) -> String {
        stores.attach(store, as: name, limit: limit)
    }

    /// Shows a store that lives elsewhere.
    ///
    /// - Returns: The name that it has.
    @discardableResult
    public func show(_ store: any InspectedStore, as name: String) -> String {
        stores.add(store, as: name)
    }

    /// Shows a store no longer, and stops recording it; the store goes on from what it shows.
    public func remove(_ name: String) { stores.remove(name) }

    // MARK: Serving

    /// The inspector as a server that is ready to run, for a group of services of yours.
    ///
    /// - Parameter options: Where to serve it.
    /// - Returns: The server.
    /// - Throws: `InspectorError` for an address beyond this machine without an access token, as whoever reaches the
    ///   inspector sees and changes everything.
    public func server(options: ServerOptions = ServerOptions(port: 8081)) throws
        -> PageServer<InspectorState>
    {
        try check(options)
        return try page(at: "", options)
    }

    /// An app's server with the inspector at a path of its own, for everybody who reaches the app.
    ///
    /// ```swift
    /// try await inspector.mounted(in: server).run()       // http://127.0.0.1:8080/inspector
    /// ```
    ///
    /// - Parameters:
    ///   - server: The server of the app, whose options hold for both.
    ///   - path: A path that no screen of the app has.
    /// - Returns: A server of both.
    /// - Throws: `InspectorError` for a server at an address beyond this machine without an access token. A proxy that makes
    ///   a local server public makes the inspector public with it.
    public func mounted<State>(
        in server: PageServer<State>, at path: String = "/inspector"
    ) throws -> PageServer<State> {
        try check(server.options)
        return server.mounting(try page(at: path, server.options), at: path)
    }

    private func check(_ options: ServerOptions) throws(InspectorError) {
        let isLocal = ["127.0.0.1", "localhost", "::1"].contains(options.host)
        guard isLocal || !(options.accessToken ?? "").isEmpty else {
            throw InspectorError(
                .refused,
                """
                The inspector shows and changes everything in its stores, so at \(options.host) it needs an access \
                token. To fix this, set ServerOptions.accessToken to a long random text, or serve it at 127.0.0.1.
                """)
        }
    }

    private func page(
        at path: String, _ options: ServerOptions
    ) throws -> PageServer<InspectorState> {
        let store = Store(InspectorState()) { [stores, apps] in
            inspectorFeature(of: stores, apps: apps)
        }
        let interface = interface
        return PageServer(
            try .inspector(at: path), hosting: .shared(store),
            assets: [
                Asset(
                    path: "/inspector.css", contentType: "text/css; charset=utf-8",
                    bytes: PackageResources.inspector_css),
                Asset(
                    path: "/inspector.js", contentType: "text/javascript; charset=utf-8",
                    bytes: PackageResources.inspector_js),
                Asset(
                    path: "/inspector.svg", contentType: "image/svg+xml",
                    bytes: PackageResources.inspector_svg),
            ],
            endpoints: [
                Endpoint("/api/v1/", bodyLimit: InspectorInterface.fileLimit) { request in
                    Endpoint.Answer(
                        await interface.answer(
                            InspectorRequest(
                                request.method == .get ? .get : .post, request.path,
                                body: request.body)))
                },
                apps.endpoint,
            ], options: options)
    }

    /// Serves the inspector until the program is interrupted, or the task cancelled.
    ///
    /// - Parameters:
    ///   - port: The port at 127.0.0.1; 0 takes any free one.
    ///   - onListening: Called once it answers, with its address.
    /// - Throws: `ServerError` when the port is in use.
    public func run(
        at port: Int = 8081, onListening: @escaping @Sendable (_ address: String) -> Void = { _ in }
    ) async throws {
        var options = Self.options(port: port)
        options.onListening = { onListening("http://127.0.0.1:\($0)") }
        try await server(options: options).run()
    }

    /// Options at 127.0.0.1, whose log says only what somebody has to act upon.
    package static func options(port: Int) -> ServerOptions {
        var options = ServerOptions(port: port)
        options.logger.logLevel = .warning
        return options
    }

    /// Serves the inspector beside an app's own server, until one of them ends.
    ///
    /// - Parameters:
    ///   - port: The port at 127.0.0.1; 0 takes any free one.
    ///   - server: The server of the app.
    ///   - onListening: Called once the inspector answers, with its address.
    /// - Throws: What either server throws.
    public func run<State: Sendable>(
        at port: Int = 8081, beside server: PageServer<State>,
        onListening: @escaping @Sendable (_ address: String) -> Void = { _ in }
    ) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            group.addTask { try await self.run(at: port, onListening: onListening) }
            try await group.next()
            group.cancelAll()
        }
    }
}
#endif
