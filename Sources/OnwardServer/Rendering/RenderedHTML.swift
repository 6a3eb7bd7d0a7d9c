// SPDX-License-Identifier: MIT
#if Server

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

    /// The HTML with a fresh request id at each place, which says since which version it may have been done.
    func fresh(since version: Version? = nil) -> String {
        let suffix = version.map { "-v\($0)" } ?? ""
        var html = ""
        for (index, piece) in pieces.enumerated() {
            if index > 0 { html += RandomID().description + suffix }
            html += piece
        }
        return html
    }

    /// The HTML with the same text at each place.
    func joined(by text: String) -> String { pieces.joined(separator: text) }
}
#endif
