// SPDX-License-Identifier: MIT
#if Server

import FoundationEssentials
import Onward

/// A fragment's HTML, rendered once for all readers.
struct RenderedFragment: Sendable {
    /// What it was rendered from.
    let source: Fragment
    /// The version whose rendering gave this HTML for the first time.
    let changed: Version
    /// The HTML, cut where a fresh request id belongs.
    let pieces: [Substring]
    /// The line of an event that brings it: `{"html":"…","key":"…"}`.
    let line: String

    init(_ source: Fragment, html: String, placeholder: String, changed: Version) {
        self.source = source
        self.changed = changed
        self.pieces = html.utf8.split(separator: placeholder.utf8, omittingEmptySubsequences: false)
            .map { Substring($0) }
        self.line = EventLine.encode(Body(key: source.key, html: pieces.joined()))
    }

    /// The same HTML drawn from another model.
    private init(_ source: Fragment, sameAs other: RenderedFragment) {
        self.source = source
        self.changed = other.changed
        self.pieces = other.pieces
        self.line = other.line
    }

    /// This rendering, or the one before if it brings nothing new.
    func kept(from before: RenderedFragment?) -> RenderedFragment {
        guard let before, before.pieces == pieces else { return self }
        return RenderedFragment(source, sameAs: before)
    }

    /// The element of a document, each form with a request id of its own.
    func element() -> String {
        var html = "<div data-fragment=\"\(source.key)\">"
        for (index, piece) in pieces.enumerated() {
            if index > 0 { html += RandomID().description }
            html += piece
        }
        return html + "</div>"
    }

    private struct Body: Encodable {
        let key: String
        let html: String
    }
}

/// One `data` line of an event: JSON, and therefore without a line break.
enum EventLine {
    static func encode(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts and lists of texts always encode.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// The line that names the fragments of a page in their order.
    static func keys(_ keys: [String]) -> String { encode(["keys": keys]) }
}
#endif
