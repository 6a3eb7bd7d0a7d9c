// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import Logging
import Metrics

/// What a running server consists of, and the routes that lead to it.
struct PageHost<State: Sendable>: Sendable {
    let visitors: Visitors<State>
    let documents: DocumentRenderer<State>
    let checks: RequestChecks
    let log: RejectionLog
    let options: ServerOptions
    private let files: [StaticFile]
    private let folders: [AssetFolder]

    init(_ server: PageServer<State>) {
        let script = StaticFile(
            Asset(
                path: "/onward.js", contentType: "text/javascript; charset=utf-8",
                bytes: PackageResources.onward_js))
        let navigation = StaticFile(
            Asset(
                path: "/onward-navigation.js", contentType: "text/javascript; charset=utf-8",
                bytes: PackageResources.navigation_js))
        let scripts = server.page.routes == nil ? [script] : [navigation, script]
        let assets = server.assets.map { (asset: $0, file: StaticFile($0)) }
        self.files = scripts + assets.map(\.file)
        self.documents = DocumentRenderer(
            page: server.page, scripts: scripts.map(\.link),
            stylesheets: assets.filter(\.asset.isStylesheet).map(\.file.link))
        self.visitors = Visitors(server.hosting, page: server.page, options: server.options)
        self.checks = RequestChecks(hostNames: server.options.hostNames)
        self.log = RejectionLog(logger: server.options.logger)
        self.options = server.options
        self.folders = server.folders
    }

    /// The routes, of which only the POST reaches a store's dispatch.
    func router() -> Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(
            middleware: Gatekeeper(
                checks: checks, log: log,
                requests: Counter(
                    label: "onward_server_requests", dimensions: [], factory: options.metrics)))
        if documents.page.routes != nil { router.add(middleware: RoutedPages(host: self)) }
        router.get("/") { request, _ in try await showPage(request) }
        router.post("/") { request, _ in try await takeAction(request) }
        router.get("/events") { request, _ in try await streamEvents(request) }
        for file in files {
            router.get(RouterPath(file.path)) { request, _ in file.response(to: request) }
        }
        for folder in folders {
            router.get(RouterPath(folder.path + ":name")) { request, context in
                try await folder.response(to: request, name: context.parameters.require("name"))
            }
        }
        if !files.contains(where: { $0.path == "/favicon.ico" }) {
            router.get("/favicon.ico") { _, _ in Response(status: .noContent) }
        }
        return router
    }

    /// Shows the page, or the screen that the request's URL means.
    func showPage(_ request: Request) async throws -> Response {
        let spot = documents.page.spot(at: request.url)
        let isKnown = documents.page.routes?.isKnown(request.url) ?? true
        if !isKnown && request.isForPartOfPage { throw Rejection.notFound }
        let visit = try await visitors.enter(request.visitorCookie)
        let page = try await visit.session.feed.current(at: spot)
        var response = Response.html(
            documents.render(page, at: spot.place), status: isKnown ? .ok : .notFound)
        response.addCookie(of: visit, isSecure: options.cookiesAreSecure)
        return response
    }
}

extension Request {
    /// The visitor's cookie, whatever it may contain.
    var visitorCookie: String? { cookies[VisitorCookie.name]?.value }
}

extension Response {
    /// Gives a new visitor its cookie.
    mutating func addCookie(of visit: Visit<some Sendable>, isSecure: Bool) {
        guard visit.isNew, let cookie = visit.cookie else { return }
        let age = visit.lifetime.map { "; Max-Age=\($0.components.seconds)" } ?? ""
        let attributes = "Path=/; HttpOnly; SameSite=Lax" + age + (isSecure ? "; Secure" : "")
        headers.append(
            HTTPField(name: .setCookie, value: "\(VisitorCookie.name)=\(cookie); \(attributes)"))
    }
}

private enum VisitorCookie {
    static let name = "onward-visitor"
}
#endif
