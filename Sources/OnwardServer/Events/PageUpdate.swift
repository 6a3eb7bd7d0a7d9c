// SPDX-License-Identifier: MIT
#if Server

import NIOCore

/// What to send to a reader: the page that its tab shows, and where the tab is.
struct PageUpdate: Sendable {
    let page: RenderedPage
    /// Nil for a tab that the state doesn't know, as on a page without routes.
    let tabLocation: TabLocation?
    /// What its reader has to know about the store; nil if there is nothing.
    var notice: String?

    /// The event for a reader.
    ///
    /// - Parameters:
    ///   - known: The page the reader has.
    ///   - tabLocation: Where the reader believes its tab to be.
    ///   - isPacked: Whether the stream is compressed.
    /// - Returns: What the reader lacks, in pieces; none if it lacks nothing.
    func event(
        after known: EventID?, at tabLocation: TabLocation?, isPacked: Bool = false
    ) -> [ByteBuffer] {
        let update = page.event(after: known, isPacked: isPacked)
        guard let now = self.tabLocation, now != tabLocation else {
            return update.map { [$0] } ?? []
        }
        // The page's part has the same bytes for all readers; the location is the reader's own.
        let text = ByteBuffer(string: "data: {\"tab\":\(now.json(at: page.id.version))}\n")
        let end = ByteBuffer(string: "id: \(page.id)\n\n")
        return isPacked
            ? [Gzip.stored(text), update ?? Gzip.stored(end)] : [text, update ?? end]
    }
}
#endif
