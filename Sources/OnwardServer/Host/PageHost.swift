// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import Logging
import Metrics
import NIOCore
import Onward

/// The parts of a running server, and the routes that lead to them.
struct PageHost<State: Sendable>: Sendable {
    let visitors: Visitors<State>
    let documents: DocumentRenderer<State>
    let checks: RequestChecks
    let log: RejectionLog
    let backlog: Backlog
    let turns = DrawingTurns()
    let crowd = Crowd()
    let options: ServerOptions
    /// The path below which the page is shown; empty at the root.
    let root: String
    /// Whether pages and their changes are compressed.
    let packsPages: Bool
    private let files: [StaticFile]
    private let folders: [AssetFolder]
    private let endpoints: [Endpoint]
    /// The pages that are shown below their own paths.
    let mounted: [any MountedPage]

    init(_ server: PageServer<State>, at root: String = "", limits: ServerLimits) {
        let packsFiles = server.options.compression != .off
        let script = StaticFile(
            PageScript.asset(
                hasRoutes: server.page.routes != nil, hasUploads: server.options.uploads != nil),
            at: root, isPacked: packsFiles)
        // The app's own come after ours, and so prevail.
        let assets = ([PageStyle.asset] + server.assets).map {
            (asset: $0, file: StaticFile($0, at: root, isPacked: packsFiles))
        }
        self.files = [script] + assets.map(\.file)
        self.documents = DocumentRenderer(
            page: server.page, at: root, script: script.link,
            stylesheets: assets.filter(\.asset.isStylesheet).map(\.file.link),
            uploads: server.options.uploads == nil ? nil : server.options.limits.uploads)
        self.visitors = Visitors(
            server.hosting, page: server.page, options: server.options, limits: limits)
        self.packsPages = server.options.compression.packsPages(
            areShared: visitors.shared != nil && server.page.visitors == nil)
        self.checks = RequestChecks(hostNames: server.options.hostNames)
        self.log = RejectionLog(logger: server.options.logger)
        self.backlog = Backlog(limit: limits.backlog)
        self.options = server.options
        self.root = root
        self.folders = server.folders.map { $0.mounted(at: root) }
        self.endpoints = server.endpoints.map { $0.mounted(at: root) }
        self.mounted = server.mounts.map { $0(server.options, limits) }
        for field in ReservedFields.all(of: server.page) {
            options.logger.error(
                """
                A page can't fill a field of an action: the name belongs to the page itself. To fix this, give \
                it another label.
                """, metadata: ["field": "\(field)"])
        }
    }

    /// The routes, of which only POST reaches a store's dispatch.
    func router() -> Router<PageContext> {
        let router = Router(context: PageContext.self, options: .autoGenerateHeadEndpoints)
        router.add(
            middleware: RequestGuard(
                checks: checks,
                access: AccessToken(options.accessToken, isSecure: options.cookiesAreSecure),
                log: log,
                requests: Counter(
                    label: "onward_server_requests", dimensions: [], factory: options.metrics),
                policy: options.contentSecurity.policy, methods: methods))
        add(to: router)
        if !files.contains(where: { $0.path == "/favicon.ico" }) {
            router.get("/favicon.ico") { _, _ in Response(status: .noContent) }
        }
        return router
    }

    /// The methods of what is at a path.
    func methods(at path: String) -> Set<HTTPRequest.Method> {
        if let methods = fixedMethods(at: path) { return methods }
        let isScreen = documents.page.routes != nil && path.hasPrefix(root + "/")
        return isScreen || path == root || path == root + "/" ? [.get, .head, .post] : []
    }

    /// The methods of what isn't a screen; nil for everything else.
    func fixedMethods(at path: String) -> Set<HTTPRequest.Method>? {
        for page in mounted where !page.methods(at: path).isEmpty { return page.methods(at: path) }
        if endpoints.contains(where: { path.hasPrefix($0.path) }) { return [.get, .head, .post] }
        let isFile =
            path == root + "/events" || path == "/favicon.ico"
            || files.contains { $0.path == path } || folders.contains { $0.name(in: path) != nil }
        return isFile ? [.get, .head] : nil
    }

    /// Adds the routes of the page, and of those below it.
    func add(to router: Router<PageContext>) {
        if documents.page.routes != nil { router.add(middleware: RoutedPages(host: self)) }
        for page in mounted { page.add(to: router) }
        let front = RouterPath(root.isEmpty ? "/" : root)
        router.get(front) { request, context in try await showPage(request, context) }
        router.post(front) { request, context in try await takeAction(request, context) }
        router.get(RouterPath(root + "/events")) { request, context in
            // A task keeps the memory of its deepest call until it ends, and a connection's task
            // lasts as long as its stream: so a stream is opened in its own task.
            async let stream = streamEvents(request, context)
            return try await stream
        }
        for file in files {
            router.get(RouterPath(file.path)) { request, _ in file.response(to: request) }
        }
        for folder in folders {
            router.get(RouterPath(folder.path + ":name")) { request, context in
                try await folder.response(
                    to: request, of: caller(of: request, tag: nil, context).visitors)
            }
        }
        for endpoint in endpoints { endpoint.register(in: router, of: self) }
    }

    /// Shows the page, or the screen that the request's URL means.
    ///
    /// Only what a browser navigates to sets a cookie: a picture on a foreign site does not.
    func showPage(_ request: Request, _ context: PageContext) async throws -> Response {
        if documents.page.isForThisSite, let entrance = try checks.entrance(to: request) {
            return entrance
        }
        let isUnknown = documents.page.routes.map { !$0.isKnown(request.url) } ?? false
        if isUnknown && request.isForPartOfPage { throw Rejection.notFound }
        let caller = caller(of: request, tag: nil, context)
        let visit = try await visitors.showDocument(
            to: caller, keepsCookie: request.method == .get && !request.isForPartOfPage)
        await turns.begin(of: caller.address)
        defer { turns.end(of: caller.address) }
        // What is drawn for nobody delays others.
        guard !context.isGone else { return Response(status: .requestTimeout) }
        let location = documents.page.location(at: request.url, for: visit.session.own?.value)
        let page = try await visit.session.feed.current(at: location, for: visit.asker(caller))
        let isThere = !isUnknown && location.isThere(visit.session.store.state)
        let document = documents.render(
            page, at: location.tabLocation, visit: visit.visitor?.tag,
            notice: visit.session.notice)
        var response = respond(
            with: document, status: isThere ? .ok : .notFound,
            packedFor: packsPages ? request : nil, context)
        response.addCookie(
            of: visit, name: cookieName(for: request), isSecure: options.cookiesAreSecure)
        return response
    }

    /// An answer with a document, as HTML or JSON.
    ///
    /// `request` decides whether it may be compressed; pass nil for a document that must not be.
    func respond(
        with document: Document, status: HTTPResponse.Status, isJSON: Bool = false,
        packedFor request: Request? = nil, _ context: PageContext
    ) -> Response {
        let packed = request?.acceptsGzip == true ? Gzip.pack(document.bytes) : nil
        let body = backlog.body(
            of: packed.map { Document($0) } ?? document, cut: context.cutConnection)
        var response: Response =
            isJSON ? .json(body, status: status) : .html(body, status: status)
        if request != nil { response.headers[.vary] = "Accept-Encoding" }
        if packed != nil { response.headers[.contentEncoding] = "gzip" }
        return response
    }

    /// The sender of a request.
    func caller(of request: Request, tag: String?, _ context: PageContext) -> Caller {
        let forwarded = options.clientAddressHeader.flatMap { HTTPField.Name($0) }
            .flatMap { request.headers[$0] }.flatMap(ClientAddress.init(forwarded:))
        return request.caller(
            cookie: cookieName(for: request), tag: tag, from: forwarded ?? context.address)
    }

    /// The name of the visitor's cookie at the requested address.
    private func cookieName(for request: Request) -> String {
        options.cookieName(for: State.self, at: request.head.authority ?? "")
    }
}

extension Response {
    /// Gives a new visitor its cookie.
    fileprivate mutating func addCookie(
        of visit: Visit<some Sendable>, name: @autoclosure () -> String, isSecure: Bool
    ) {
        guard let cookie = visit.cookie, let visitor = visit.visitor else { return }
        let age = cookie.lifetime.map { "; Max-Age=\($0.components.seconds)" } ?? ""
        let attributes = "Path=/; HttpOnly; SameSite=Lax" + age + (isSecure ? "; Secure" : "")
        headers.append(
            HTTPField(name: .setCookie, value: "\(name())=\(visitor.cookie); \(attributes)"))
    }
}

extension ServerOptions {
    /// The name of the visitor's cookie for a type of state, at an address like `localhost:8080`.
    func cookieName(for state: Any.Type, at authority: String) -> String {
        cookieName.map(CookieName.plain) ?? CookieName.at(authority, "onward-\(state)")
    }
}
#endif
