// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import NIOCore

extension Endpoint {
    /// Registers its routes.
    func register(in router: Router<PageContext>, _ checks: RequestChecks) {
        router.get(RouterPath(path + "**")) { request, context in
            // An answer may take long to find, and a foreign site can make browsers send any GET.
            if let entrance = try checks.entrance(to: request) { return entrance }
            return try await respond(to: request, .get, body: [], context)
        }
        router.post(RouterPath(path + "**")) { request, context in
            try checks.checkOrigin(request)
            let type = request.headers[.contentType]?.lowercased().split(separator: ";").first
            guard type == "application/json" else { throw Rejection.badContentType }
            return try await respond(
                to: request, .post, body: try await checks.collect(request, limit: bodyLimit),
                context)
        }
    }

    private func respond(
        to request: Hummingbird.Request, _ method: Request.Method, body: [UInt8],
        _ context: PageContext
    ) async throws -> Response {
        let rest = String(request.url.dropFirst(path.count))
        let answer: Answer
        do {
            answer = try await context.whileSenderStays {
                try await self.answer(Request(method, rest, body: body))
            }
        } catch is CancellationError {
            return Response(status: .requestTimeout)
        }
        var headers: HTTPFields = [.contentType: answer.contentType]
        if let name = answer.fileName {
            headers[.contentDisposition] = "attachment; filename=\"\(Self.plain(name))\""
        }
        return Response(
            status: .init(code: answer.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.bytes)))
    }

    /// The part of a name that is allowed in a header.
    private static func plain(_ name: String) -> String {
        String(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) })
    }
}
#endif
