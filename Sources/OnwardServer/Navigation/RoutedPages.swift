// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird

/// Answers paths that nothing else answers: on a page with routes, each of them is a screen.
struct RoutedPages<State: Sendable>: RouterMiddleware {
    typealias Context = PageContext

    let host: PageHost<State>

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound && isOurs(request) {
            switch request.method {
            case .get: return try await host.showPage(request, context)
            case .head: return try await host.showPage(request, context).createHeadResponse()
            case .post: return try await host.takeAction(request, context)
            default: throw error
            }
        }
    }

    /// Whether a path is below that of the page, and no file of it.
    private func isOurs(_ request: Request) -> Bool {
        let path = request.uri.path
        return (path.hasPrefix(host.root + "/") || path == host.root)
            && host.fixedMethods(at: path) == nil
    }
}

extension Request {
    /// The requested path and query.
    var url: String { uri.path + (uri.query.map { "?" + $0 } ?? "") }

    /// Whether a browser requests something other than a document, such as an icon or a script.
    var isForPartOfPage: Bool {
        headers[.secFetchDest].map { $0 != "document" } ?? false
    }
}
#endif
