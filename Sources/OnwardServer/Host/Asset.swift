// SPDX-License-Identifier: MIT
#if Server

/// A file that belongs to a page: a stylesheet, a picture, a font; given as bytes.
///
/// Served with its content type, an `ETag` and `Cache-Control: no-cache` (kept by the browser, asked
/// for again with the tag, answered by 304 while unchanged). Stylesheets are linked from the head
/// of the page in the order in which they are given.
public struct Asset: Sendable, Hashable {
    /// Where it is served, beginning with `/`.
    public let path: String
    /// The media type, as sent in the header `Content-Type`.
    public let contentType: String
    /// The content.
    public let bytes: [UInt8]

    /// A file of any type.
    ///
    /// - Parameters:
    ///   - path: Where it is served, beginning with `/`.
    ///   - contentType: The media type, such as `image/png`.
    ///   - bytes: The content.
    public init(path: String, contentType: String, bytes: [UInt8]) {
        self.path = path
        self.contentType = contentType
        self.bytes = bytes
    }

    /// A stylesheet, linked from the head of every page of the server.
    public static func stylesheet(_ path: String, _ text: String) -> Asset {
        Asset(path: path, contentType: "text/css; charset=utf-8", bytes: Array(text.utf8))
    }

    /// A drawing.
    public static func svg(_ path: String, _ text: String) -> Asset {
        Asset(path: path, contentType: "image/svg+xml", bytes: Array(text.utf8))
    }

    /// Whether the page's head links it.
    var isStylesheet: Bool { contentType.hasPrefix("text/css") }

    /// Whether it is text, which gets shorter when it is compressed.
    var isText: Bool {
        let type = contentType.prefix { $0 != ";" }
        return type.hasPrefix("text/") || type.hasSuffix("+xml") || type.hasSuffix("json")
    }
}
#endif
