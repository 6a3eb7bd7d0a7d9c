// SPDX-License-Identifier: MIT
#if Server

/// HTML in the two forms in which it leaves the server.
struct RenderedHTML: Sendable, Equatable {
    /// The HTML, cut where a fresh request id belongs.
    private let pieces: [Substring]
    /// The HTML without request ids, as the inside of a JSON text.
    ///
    /// What may stand one after the other in a document may do so here.
    let json: String

    init(_ html: String, placeholder: String) {
        pieces = html.utf8.split(separator: placeholder.utf8, omittingEmptySubsequences: false)
            .map { Substring($0) }
        json = String(EventLine.encode(pieces.joined()).dropFirst().dropLast())
    }

    /// The HTML for a document, each form with a request id of its own.
    func fresh() -> String {
        var html = ""
        for (index, piece) in pieces.enumerated() {
            if index > 0 { html += RandomID().description }
            html += piece
        }
        return html
    }

    static func == (left: Self, right: Self) -> Bool { left.pieces == right.pieces }
}
#endif
