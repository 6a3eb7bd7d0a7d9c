// SPDX-License-Identifier: MIT
#if Server

/// Puts the fragments of a page into its document.
struct DocumentRenderer<State: Sendable>: Sendable {
    let page: Page<State>
    /// Where the script is.
    let script: String
    /// Where the stylesheets are, in their order.
    let stylesheets: [String]

    /// The whole document.
    ///
    /// - Parameters:
    ///   - rendered: The page's fragments.
    ///   - tabLocation: Where the page is shown.
    ///   - visit: Names the visitor it is for; nil if all share one store.
    ///   - notice: A sentence for the reader, said in the page's status line.
    /// - Returns: HTML, with a fresh request id in each form.
    func render(
        _ rendered: RenderedPage, at tabLocation: TabLocation, visit: String?, notice: String = ""
    ) -> String {
        let elements = rendered.fragments.map { ($0.source.key, $0.element()) }
        return page.templates.renderDocument([
            "title": tabLocation.title,
            "language": page.language,
            "script": script,
            "stylesheets": stylesheets,
            "routes": tabLocation.urls.joined(separator: " "),
            "events": "/events?since=\(rendered.id)\(visit.map { "&visit=\($0)" } ?? "")",
            "notice": notice,
            "fragments": FragmentPlaces.list(elements.map(\.1)),
            "fragment": FragmentPlaces(elements),
        ])
    }
}
#endif
