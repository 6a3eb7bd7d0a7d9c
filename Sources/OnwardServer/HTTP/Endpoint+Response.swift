// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import NIOCore

extension Endpoint {
    /// Registers its routes.
    func register(in router: Router<PageContext>, _ checks: RequestChecks) {
        router.get(RouterPath(path + "**")) { request, _ in
            try await respond(to: request, .get, body: [])
        }
        router.post(RouterPath(path + "**")) { request, _ in
            try checks.checkOrigin(request)
            let type = request.headers[.contentType]?.lowercased().split(separator: ";").first
            guard type == "application/json" else { throw Rejection.badContentType }
            return try await respond(
                to: request, .post, body: try await checks.collect(request, limit: bodyLimit))
        }
    }

    private func respond(
        to request: Hummingbird.Request, _ method: Request.Method, body: [UInt8]
    ) async throws -> Response {
        let rest = String(request.url.dropFirst(path.count))
        let answer = try await self.answer(Request(method, rest, body: body))
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
