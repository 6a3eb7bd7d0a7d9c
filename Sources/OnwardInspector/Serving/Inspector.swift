// SPDX-License-Identifier: MIT
#if Server

internal import Foundation
internal import Logging
public import Onward
public import OnwardInspection
public import OnwardServer

/// Time travel for running stores, in a browser.
///
/// ```swift
/// let inspector = Inspector()
/// inspector.attach(store, as: "shop")
/// try await inspector.run(at: 8081)       // http://127.0.0.1:8081
/// ```
///
/// A store is recorded by a `History` from the moment it is attached: that is its cost, whether
/// someone watches or not. The page is an app built with this library, with a store of its own. See
/// <doc:InspectingStores>.
public final class Inspector: Sendable {
    private let stores: StoreList
    private let apps: RemoteApps

    /// Creates an inspector without stores.
    ///
    /// - Parameters:
    ///   - pages: Pages that each store has besides the inspector's own.
    ///   - columns: Columns that each list of entries has; there is room for three.
    public init(pages: [InspectorPage] = [], columns: [InspectorColumn] = []) {
        stores = StoreList(pages: [.routes, .costs] + pages, columns: columns)
        apps = RemoteApps(stores)
    }

    /// The interface for programs.
    package var interface: InspectorInterface { InspectorInterface(stores: stores) }

    /// Starts recording a store, and shows it.
    ///
    /// The inspector doesn't keep the store alive. It controls it as a gate: attach it before other
    /// gates of the store.
    ///
    /// - Parameters:
    ///   - store: The store of a whole app.
    ///   - name: The name of the store in URLs; any character other than a letter, digit or hyphen
    ///     becomes a hyphen, and a name that is taken gets a number.
    ///   - limit: The maximum number of entries; older ones are folded into the base.
    ///   - pages: Pages that this store alone has.
    /// - Returns: The name of the store in the inspector.
    @discardableResult
    public func attach<State: Codable & Sendable>(
        _ store: Store<State>, as name: String = "store", limit: Int = 100_000,
        pages: [InspectorPage] = []
    ) -> String {
        stores.attach(store, as: name, limit: limit, pages: pages)
    }

    /// Records and shows a store whose state isn't `Codable`: by reflection, without a log file.
    ///
    /// Otherwise like attaching a store with a `Codable` state.
    @discardableResult
    public func attach<State: Sendable>(
        _ store: Store<State>, as name: String = "store", limit: Int = 100_000,
        pages: [InspectorPage] = []
    ) -> String {
        stores.attach(store, as: name, limit: limit, pages: pages)
    }

    /// Shows a store that lives elsewhere.
    ///
    /// - Returns: The name of the store in the inspector.
    @discardableResult
    public func show(_ store: any InspectedStore, as name: String) -> String {
        stores.add(store, as: name)
    }

    /// Stops showing and recording a store, which continues from what it shows.
    public func remove(_ name: String) { stores.remove(name) }

    // MARK: Serving

    /// Returns the inspector as a server that is ready to run, in your own service group.
    ///
    /// - Parameter options: Where to serve it.
    /// - Returns: The server.
    /// - Throws: `InspectorError` for an address beyond this machine without an access token, since
    ///   anyone who reaches the inspector sees and changes everything.
    public func server(options: ServerOptions = ServerOptions(port: 8081)) throws
        -> PageServer<InspectorState>
    {
        try check(options)
        return try page(at: "", options)
    }

    /// Returns an app's server with the inspector at its own path, for all who reach the app.
    ///
    /// ```swift
    /// try await inspector.mounted(in: server).run()       // http://127.0.0.1:8080/inspector
    /// ```
    ///
    /// - Parameters:
    ///   - server: The server of the app, whose options apply to both.
    ///   - path: A path that no screen of the app uses.
    /// - Returns: A server of both.
    /// - Throws: `InspectorError` for a server at an address beyond this machine without an access
    ///   token. A proxy that exposes a local server also exposes the inspector.
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
        let own = ProcessInfo.processInfo.processName
        var page: Page<InspectorState> = try .inspector(at: path) { [stores] name in
            let store = name.flatMap { stores[$0] } ?? stores.all.first?.store
            return (store as? any DistantStore).map { $0.app } ?? own
        }
        page.drawingExecutor = stores.questions
        return PageServer(
            page, hosting: .shared(store),
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

    /// Serves the inspector until the program is interrupted or the task is cancelled.
    ///
    /// - Parameters:
    ///   - port: The port at 127.0.0.1; 0 for any free one.
    ///   - onListening: Called once it is ready, with its address.
    /// - Throws: `ServerError` if the port is in use.
    public func run(
        at port: Int = 8081, onListening: @escaping @Sendable (_ address: String) -> Void = { _ in }
    ) async throws {
        var options = Self.options(port: port)
        options.onListening = { onListening("http://127.0.0.1:\($0)") }
        try await server(options: options).run()
    }

    /// Options for 127.0.0.1, which log only what someone has to act upon.
    package static func options(port: Int) -> ServerOptions {
        var options = ServerOptions(port: port)
        options.logger.logLevel = .warning
        return options
    }

    /// Serves the inspector beside an app's own server, until one of them ends.
    ///
    /// - Parameters:
    ///   - port: The port at 127.0.0.1; 0 for any free one.
    ///   - server: The server of the app.
    ///   - onListening: Called once the inspector is ready, with its address.
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
