// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import NIOCore

/// An asset ready to be served: its bytes shared by all answers, and its tag.
struct StaticFile: Sendable {
    let path: String
    private let contentType: String
    private let body: ByteBuffer
    private let tag: String

    init(_ asset: Asset) {
        // The tag only has to change with the content while this process lives.
        var hasher = Hasher()
        hasher.combine(asset.bytes)
        self.tag = String(UInt(bitPattern: hasher.finalize()), radix: 36)
        self.path = asset.path
        self.contentType = asset.contentType
        self.body = ByteBuffer(bytes: asset.bytes)
    }

    /// The path with the tag, so that a document always links what belongs to it.
    var link: String { "\(path)?v=\(tag)" }

    /// The file, or 304 for a browser that has it.
    func response(to request: Request) -> Response {
        var headers: HTTPFields = [.eTag: "\"\(tag)\"", .cacheControl: "no-cache"]
        guard request.headers[.ifNoneMatch] != "\"\(tag)\"" else {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = contentType
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }
}
#endif
