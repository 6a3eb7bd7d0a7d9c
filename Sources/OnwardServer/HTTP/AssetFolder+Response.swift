// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import NIOCore

extension AssetFolder {
    /// The file with a name, 304 for a browser that has it, or 404.
    func response(to request: Request, of visitors: [VisitorID]) async throws -> Response {
        guard let name = name(in: request.uri.path), let file = try await find(name, visitors)
        else { throw Rejection.notFound }
        var headers: HTTPFields = [.contentType: file.asset.contentType]
        headers[.cacheControl] = file.cacheControl
        if let tag = file.tag {
            headers[.eTag] = "\"\(tag)\""
            if request.has(tag) { return Response(status: .notModified, headers: headers) }
        }
        let body = ResponseBody(byteBuffer: ByteBuffer(bytes: file.asset.bytes))
        return Response(status: .ok, headers: headers, body: body)
    }

    /// The name of a file in a path, decoded once; nil for one that would lead outside the folder.
    func name(in path: String) -> String? {
        guard path.hasPrefix(self.path),
            let name = PercentEncoding.decode(path.dropFirst(self.path.count)),
            !name.isEmpty, name != ".", name != "..",
            !name.unicodeScalars.contains(where: {
                $0 == "/" || $0 == "\\" || $0.properties.generalCategory == .control
            })
        else { return nil }
        return name
    }
}

extension AssetFolder.File {
    /// Private, like the page's visitor.
    fileprivate var cacheControl: String {
        guard let maximumAge else { return "no-store" }
        return "private, max-age=\(max(0, maximumAge.components.seconds))"
    }
}

extension Request {
    /// Whether the sender holds the content with a tag (RFC 9110 § 13.1.2: weak comparison).
    fileprivate func has(_ tag: String) -> Bool {
        guard let held = headers[.ifNoneMatch] else { return false }
        return held.split(separator: ",").contains { candidate in
            var candidate = candidate.drop { $0 == " " }
            while candidate.last == " " { candidate.removeLast() }
            if candidate.hasPrefix("W/") { candidate = candidate.dropFirst(2) }
            return candidate == "*" || candidate == "\"\(tag)\""
        }
    }
}
#endif
