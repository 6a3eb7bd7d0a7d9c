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

    init(_ server: PageServer<State>) {
        let script = StaticFile(
            Asset(
                path: "/onward.js", contentType: "text/javascript; charset=utf-8",
                bytes: PackageResources.onward_js))
        let assets = server.assets.map { (asset: $0, file: StaticFile($0)) }
        self.files = [script] + assets.map(\.file)
        self.documents = DocumentRenderer(
            page: server.page, script: script.link,
            stylesheets: assets.filter(\.asset.isStylesheet).map(\.file.link))
        self.visitors = Visitors(server.hosting, page: server.page, options: server.options)
        self.checks = RequestChecks(hostNames: server.options.hostNames)
        self.log = RejectionLog(logger: server.options.logger)
        self.options = server.options
    }

    /// The routes, of which only the POST reaches a store's dispatch.
    func router() -> Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(
            middleware: Gatekeeper(
                checks: checks, log: log,
                requests: Counter(
                    label: "onward_server_requests", dimensions: [], factory: options.metrics)))
        router.get("/") { request, _ in try await showPage(request) }
        router.post("/") { request, _ in try await takeAction(request) }
        router.get("/events") { request, _ in try await streamEvents(request) }
        for file in files {
            router.get(RouterPath(file.path)) { request, _ in file.response(to: request) }
        }
        if !files.contains(where: { $0.path == "/favicon.ico" }) {
            router.get("/favicon.ico") { _, _ in Response(status: .noContent) }
        }
        return router
    }

    private func showPage(_ request: Request) async throws -> Response {
        let visit = try await visitors.enter(request.visitorCookie)
        let page = try await visit.session.feed.current()
        var response = Response.html(documents.render(page), status: .ok)
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
        let attributes = "Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
        headers.append(
            HTTPField(name: .setCookie, value: "\(VisitorCookie.name)=\(cookie); \(attributes)"))
    }
}

private enum VisitorCookie {
    static let name = "onward-visitor"
}
#endif
