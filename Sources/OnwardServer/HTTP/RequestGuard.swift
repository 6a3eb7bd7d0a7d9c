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
            response = Rejection.notFound.response(to: request)
        } catch let rejection as Rejection {
            log.note(rejection, request)
            response = rejection.response(to: request)
        } catch {
            log.note(error, request)
            response = Rejection.failed.response(to: request)
        }
        response.headers.addSecurity()
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
                "reason": "\(rejection.sentence)",
            ])
    }

    func note(_ error: any Error, _ request: Request) {
        logger.error(
            "A request failed.", metadata: ["method": "\(request.method)", "reason": "\(error)"])
    }
}
#endif
