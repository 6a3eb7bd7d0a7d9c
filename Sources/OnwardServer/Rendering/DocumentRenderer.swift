// SPDX-License-Identifier: MIT
#if Server

import Onward

/// Puts the fragments of a page into its document.
struct DocumentRenderer<State: Sendable>: Sendable {
    let page: Page<State>
    /// The path below which the page is shown; empty at the root.
    let root: String
    /// Where the script is.
    let script: String
    /// Where the stylesheets are, in order.
    let stylesheets: [String]
    /// How large a file may be, and how many a post may have, for the script; nil without uploads.
    let uploads: String?

    /// Marks the places for fresh request ids in a document; unguessable, like a renderer's.
    private let placeholder = RandomID().description

    init(
        page: Page<State>, at root: String = "", script: String, stylesheets: [String],
        uploads: UploadLimits? = nil
    ) {
        self.uploads = uploads.map { "\($0.bytesPerFile) \($0.filesPerPost)" }
        self.page = page
        self.root = root
        self.script = script
        self.stylesheets = stylesheets
    }

    /// The whole document.
    ///
    /// - Parameters:
    ///   - rendered: The page's fragments.
    ///   - tabLocation: Where the page is shown.
    ///   - visit: Identifies the visitor that it is for; nil if all share one store.
    ///   - notice: A sentence for the reader, shown in the page's status line.
    /// - Returns: The document, with a fresh request id in each form.
    /// - Complexity: The layout is drawn once for all who share a page at one version, and a large
    ///   one once for a visitor who requests it again.
    func render(
        _ rendered: RenderedPage, at tabLocation: TabLocation, visit: String?, notice: String = ""
    ) -> Document {
        func drawn() -> Document.SharedBytes {
            draw(rendered, at: tabLocation, visit: visit, notice: notice).bytes
        }
        let shared =
            notice.isEmpty
            ? rendered.document.drawn(at: tabLocation, for: visit, draw: drawn) : drawn()
        return Document(shared, since: rendered.since)
    }

    private func draw(
        _ rendered: RenderedPage, at tabLocation: TabLocation, visit: String?, notice: String
    ) -> CutHTML {
        let elements = rendered.fragments.map {
            ($0.source.key, $0.element(placeholder: placeholder))
        }
        var context: [String: Any] = [
            "title": tabLocation.title,
            "language": page.language,
            "root": root,
            "script": script,
            "stylesheets": stylesheets,
            "routes": tabLocation.urls.joined(separator: " "),
            "events": "\(root)/events?since=\(rendered.id)\(visit.map { "&visit=\($0)" } ?? "")",
            "notice": notice,
            "fragments": FragmentPlaces.list(elements.map(\.1)),
            "fragment": FragmentPlaces(elements),
        ]
        if let uploads { context["uploads"] = uploads }
        return CutHTML(page.templates.renderDocument(context), at: placeholder)
    }
}

/// The document of one page at one version, for those who see the same.
final class SharedDocument: Sendable {
    private struct Kept {
        let tabLocation: TabLocation
        let visit: String?
        let document: Document.SharedBytes
    }

    private let kept = Guarded<Kept?>(nil)

    /// The document at a place, drawn when it is first requested there.
    ///
    /// `visit` is the visitor that it is for, nil if all share it. A visitor's document is kept
    /// only if it is large: keeping one for each takes more than drawing a small one again.
    func drawn(
        at tabLocation: TabLocation, for visit: String? = nil, draw: () -> Document.SharedBytes
    ) -> Document.SharedBytes {
        if let kept = kept.withValue({ $0 }), kept.tabLocation == tabLocation, kept.visit == visit {
            return kept.document
        }
        let document = draw()
        if visit == nil || document.size > Document.chunk {
            let old = kept.withValue { kept in
                defer {
                    kept = Kept(tabLocation: tabLocation, visit: visit, document: document)
                }
                return kept
            }
            _ = old  // Let go outside of the lock.
        }
        return document
    }
}
#endif
