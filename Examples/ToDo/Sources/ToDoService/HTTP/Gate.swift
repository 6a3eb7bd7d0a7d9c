// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import Logging

/// What holds for every request: it is for this host, and an error is answered in JSON.
struct Gate<Context: RequestContext>: RouterMiddleware {
    let logger: Logger

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            // A foreign name that is made to point to this machine would let web pages in.
            guard let host = request.head.authority, Self.isLocal(host) else {
                throw Refusal.foreignHost
            }
            var response = try await next(request, context)
            response.headers[.cacheControl] = "no-store"
            response.headers[.xContentTypeOptions] = "nosniff"
            return response
        } catch let refusal as Refusal {
            return refusal.response
        } catch let error as any HTTPResponseError where error.status.code < 500 {
            return Refusal(status: error.status, detail: error.status.reasonPhrase).response
        } catch {
            logger.error("A request failed.", metadata: ["reason": "\(error)"])
            return Refusal.failure.response
        }
    }

    /// Whether a host, maybe with a port, is this machine.
    static func isLocal(_ authority: String) -> Bool {
        let host = authority.replacing(/:[0-9]*$/, with: "").lowercased()
        return ["localhost", "127.0.0.1", "[::1]"].contains(host)
    }
}
