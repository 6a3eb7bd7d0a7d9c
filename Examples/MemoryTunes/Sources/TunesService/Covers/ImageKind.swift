// SPDX-License-Identifier: MIT

/// The kinds of pictures that are let in; none of them can hold a script.
enum ImageKind: String, CaseIterable, Sendable {
    case png, jpeg, gif, webp

    /// The kind that the first bytes show, whatever a sender says of them.
    init?(_ bytes: [UInt8]) {
        guard let kind = Self.allCases.first(where: { $0.begins(bytes) }) else { return nil }
        self = kind
    }

    /// The media type under which it is served.
    var contentType: String { "image/\(rawValue)" }

    private func begins(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
        case .gif: bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8)
        case .webp:
            bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        }
    }
}
