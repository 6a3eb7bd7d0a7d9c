// SPDX-License-Identifier: MIT

/// The picture of a cover, known to be one.
public struct CoverImage: Hashable, Sendable {
    let kind: ImageKind
    /// The picture's content.
    public let bytes: [UInt8]
    /// Names the content, for the header `ETag`.
    public let tag: String

    /// The picture in some bytes; nil if they are none.
    init?(_ bytes: [UInt8]) {
        guard let kind = ImageKind(bytes) else { return nil }
        (self.kind, self.bytes, tag) = (kind, bytes, Fingerprint(bytes).description)
    }

    /// The media type under which it is served.
    public var contentType: String { kind.contentType }
}
