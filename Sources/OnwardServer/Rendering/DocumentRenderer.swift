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
    /// Where the stylesheets are, in their order.
    let stylesheets: [String]

    /// Stands in a document where a fresh request id belongs; unguessable, as a renderer's.
    private let placeholder = RandomID().description

    init(page: Page<State>, at root: String = "", script: String, stylesheets: [String]) {
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
    ///   - visit: Names the visitor it is for; nil if all share one store.
    ///   - notice: A sentence for the reader, said in the page's status line.
    /// - Returns: HTML, with a fresh request id in each form.
    /// - Complexity: The layout is drawn once for all who share a page at one version.
    func render(
        _ rendered: RenderedPage, at tabLocation: TabLocation, visit: String?, notice: String = ""
    ) -> String {
        guard visit == nil, notice.isEmpty else {
            return draw(rendered, at: tabLocation, visit: visit, notice: notice).fresh(
                since: rendered.since)
        }
        return rendered.document.drawn(at: tabLocation) {
            draw(rendered, at: tabLocation, visit: nil, notice: "")
        }.fresh(since: rendered.since)
    }

    private func draw(
        _ rendered: RenderedPage, at tabLocation: TabLocation, visit: String?, notice: String
    ) -> CutHTML {
        let elements = rendered.fragments.map {
            ($0.source.key, $0.element(placeholder: placeholder))
        }
        let html = page.templates.renderDocument([
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
        ])
        return CutHTML(html, at: placeholder)
    }
}

/// The document of one page at one version, for all who share it.
final class SharedDocument: Sendable {
    private let kept = Guarded<(tabLocation: TabLocation, html: CutHTML)?>(nil)

    /// The document at a place; made when the first one asks for it there.
    func drawn(at tabLocation: TabLocation, make: () -> CutHTML) -> CutHTML {
        if let kept = kept.withValue({ $0 }), kept.tabLocation == tabLocation { return kept.html }
        let html = make()
        kept.withValue { $0 = (tabLocation, html) }
        return html
    }
}
#endif
