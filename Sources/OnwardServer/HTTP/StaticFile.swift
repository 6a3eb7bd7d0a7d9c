// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import NIOCore

/// An asset ready to serve: bytes shared by all answers, plain and compressed, and a tag.
struct StaticFile: Sendable {
    let path: String
    private let contentType: String
    private let body: ByteBuffer
    private let packed: ByteBuffer?
    private let tag: String

    init(_ asset: Asset, at root: String, isPacked: Bool) {
        // The tag only has to change with the content while this process lives.
        var hasher = Hasher()
        hasher.combine(asset.bytes)
        self.tag = String(UInt(bitPattern: hasher.finalize()), radix: 36)
        self.path = root + asset.path
        self.contentType = asset.contentType
        self.body = ByteBuffer(bytes: asset.bytes)
        self.packed = isPacked && asset.isText ? Gzip.pack(self.body) : nil
    }

    /// The path with the tag, so that a document always links the matching file.
    var link: String { "\(path)?v=\(tag)" }

    /// The file, a part of it, or 304 for a browser that has it.
    func response(to request: Request) -> Response {
        // A part is one of the file as it is.
        let packed = request.acceptsGzip && request.headers[.range] == nil ? packed : nil
        var headers: HTTPFields = [.contentType: contentType, .cacheControl: "no-cache"]
        if self.packed != nil { headers[.vary] = "Accept-Encoding" }
        if packed != nil { headers[.contentEncoding] = "gzip" }
        // A compressed file is another representation, with its own tag (RFC 9110 § 8.8.3).
        return FileAnswer(
            body: packed ?? body, tag: packed == nil ? tag : "\(tag)-gzip", headers: headers
        ).response(to: request)
    }
}
#endif
