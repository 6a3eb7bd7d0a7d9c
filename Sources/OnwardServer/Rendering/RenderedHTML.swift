// SPDX-License-Identifier: MIT
#if Server

import NIOCore
import Onward

/// HTML in the two forms in which it leaves the server.
struct RenderedHTML: Sendable, Equatable {
    /// The HTML for a document.
    let html: CutHTML
    /// The HTML without request ids, as the inside of a JSON text.
    ///
    /// What may stand one after the other in a document may do so here.
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
        pieces = html.utf8.split(separator: placeholder.utf8, omittingEmptySubsequences: false)
            .map { Substring($0) }
    }

    /// The HTML as bytes that readers share.
    var bytes: Document.SharedBytes {
        Document.SharedBytes(pieces.map { ByteBuffer(substring: $0) })
    }

    /// The HTML with the same text at each place.
    func joined(by text: String) -> String { pieces.joined(separator: text) }
}
#endif
