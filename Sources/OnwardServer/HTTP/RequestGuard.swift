// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import Logging
import Metrics

/// Wraps all routes: counts requests, checks the host, answers rejections, adds the headers.
struct RequestGuard: RouterMiddleware {
    typealias Context = PageContext

    let checks: RequestChecks
    let access: AccessToken?
    let log: RejectionLog
    let requests: Counter
    /// The header `Content-Security-Policy` of all answers.
    let policy: String
    /// The methods that a path has; none if there is nothing.
    let methods: @Sendable (_ path: String) -> Set<HTTPRequest.Method>

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        requests.increment()
        var response: Response
        do {
            try checks.checkHost(request)
            try checks.checkEncoding(request)
            try checks.checkBody(request)
            try checks.checkQuery(request)
            if let entrance = try access?.admit(request) {
                response = entrance
            } else {
                response = try await next(request, context)
            }
        } catch let error as HTTPError where error.status.code < 500 {
            response = missing(request)
        } catch let rejection as Rejection {
            log.note(rejection, request)
            // The cookie with the token isn't sent with a link of another site.
            response =
                rejection == .noToken && request.isForeignNavigation
                ? .entrance(to: request) : rejection.response(to: request)
        } catch {
            log.note(error, request)
            response = Rejection.failed.response(to: request)
        }
        response.headers.addSecurity(policy)
        // The header of a GET, and no more (RFC 9110 § 9.3.2).
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// Nothing is there, or nothing that has this method (RFC 9110 § 15.5.6).
    private func missing(_ request: Request) -> Response {
        let methods = methods(request.uri.path)
        guard !methods.isEmpty, !methods.contains(request.method) else {
            return Rejection.notFound.response(to: request)
        }
        var response = Rejection.badMethod.response(to: request)
        response.headers[.allow] = methods.map(\.rawValue).sorted().joined(separator: ", ")
        return response
    }
}

/// Logs one line for each rejected request: the reason, never the content.
struct RejectionLog: Sendable {
    let logger: Logger

    func note(_ rejection: Rejection, _ request: Request) {
        logger.notice(
            "Refused a request.",
            metadata: [
                "method": "\(request.method)", "status": "\(rejection.status.code)",
                "reason": "\(rejection.reason ?? rejection.sentence)",
            ])
    }

    func note(_ error: any Error, _ request: Request) {
        logger.error(
            "A request failed.", metadata: ["method": "\(request.method)", "reason": "\(error)"])
    }
}
#endif
