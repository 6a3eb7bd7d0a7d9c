// SPDX-License-Identifier: MIT
#if Server

/// A file that belongs to a page, such as a stylesheet, a picture or a font; held as bytes.
///
/// Served with its content type, an `ETag` and `Cache-Control: no-cache` (the browser keeps it and
/// revalidates it with the tag, which is answered with 304 while it is unchanged). Stylesheets are
/// linked from the head of the page in the order of the array.
public struct Asset: Sendable, Hashable {
    /// The path at which it is served, beginning with `/`.
    public let path: String
    /// The media type, as sent in the `Content-Type` header.
    public let contentType: String
    /// The content.
    public let bytes: [UInt8]

    /// Creates a file of any type.
    ///
    /// - Parameters:
    ///   - path: The path at which it is served, beginning with `/`.
    ///   - contentType: The media type, such as `image/png`.
    ///   - bytes: The content.
    public init(path: String, contentType: String, bytes: [UInt8]) {
        self.path = path
        self.contentType = contentType
        self.bytes = bytes
    }

    /// Creates a stylesheet, which is linked from the head of every page of the server.
    public static func stylesheet(_ path: String, _ text: String) -> Asset {
        Asset(path: path, contentType: "text/css; charset=utf-8", bytes: Array(text.utf8))
    }

    /// Creates an SVG image.
    public static func svg(_ path: String, _ text: String) -> Asset {
        Asset(path: path, contentType: "image/svg+xml", bytes: Array(text.utf8))
    }

    /// Whether the page's head links it.
    var isStylesheet: Bool { contentType.hasPrefix("text/css") }

    /// Whether it is text, which compresses well.
    var isText: Bool {
        let type = contentType.prefix { $0 != ";" }
        return type.hasPrefix("text/") || type.hasSuffix("+xml") || type.hasSuffix("json")
    }
}
#endif
