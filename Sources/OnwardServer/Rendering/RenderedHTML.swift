// SPDX-License-Identifier: MIT
#if Server

import NIOCore
import Onward

/// HTML in the two forms in which it leaves the server.
struct RenderedHTML: Sendable, Equatable {
    /// The HTML for a document.
    let html: CutHTML
    /// The HTML without request ids, as the inside of a JSON string.
    ///
    /// Whatever may be concatenated in a document may be concatenated here.
    let json: String

    init(_ html: String, placeholder: String) {
        self.html = CutHTML(html, at: placeholder)
        json = String(EventLine.encode(self.html.joined(by: "")).dropFirst().dropLast())
    }

    static func == (left: Self, right: Self) -> Bool { left.html == right.html }
}

/// HTML that is cut where a request id belongs.
struct CutHTML: Sendable, Equatable {
    private let pieces: [Substring]

    init(_ html: String, at placeholder: String) {
        let (text, mark) = (html.utf8, Array(placeholder.utf8))
        let places =
            text.withContiguousStorageIfAvailable { Self.places(of: mark, in: $0) }
            ?? Self.places(of: mark, in: Array(text))
        var (pieces, start) = ([Substring](), text.startIndex)
        for place in places {
            let end = text.index(text.startIndex, offsetBy: place)
            pieces.append(html[start..<end])
            start = text.index(end, offsetBy: mark.count)
        }
        self.pieces = pieces + [html[start...]]
    }

    /// All positions at which a placeholder begins.
    ///
    /// Implemented by hand, since the library's search takes a seventh of the time to draw a row.
    private static func places(
        of placeholder: [UInt8], in text: some RandomAccessCollection<UInt8>
    ) -> [Int] {
        guard let first = placeholder.first else { return [] }
        var places: [Int] = []
        var rest = text[...]
        while let next = rest.firstIndex(of: first) {
            rest = rest[next...]
            if rest.starts(with: placeholder) {
                places.append(text.distance(from: text.startIndex, to: next))
                rest = rest.dropFirst(placeholder.count)
            } else {
                rest = rest.dropFirst()
            }
        }
        return places
    }

    /// The HTML as bytes that readers share.
    var bytes: Document.SharedBytes {
        Document.SharedBytes(pieces.map { ByteBuffer(substring: $0) })
    }

    /// The HTML with the same text at each place.
    func joined(by text: String) -> String { pieces.joined(separator: text) }
}
#endif
