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
    ///   - notice: A sentence for the reader, said in the page's status line.
    /// - Returns: HTML, with a fresh request id in each form.
    func render(_ rendered: RenderedPage, notice: String = "") -> String {
        let elements = rendered.fragments.map { ($0.source.key, $0.element()) }
        return page.templates.renderDocument([
            "title": page.title,
            "language": page.language,
            "script": script,
            "stylesheets": stylesheets,
            "events": "/events?since=\(rendered.id)",
            "notice": EscapableModel.separateMarks(in: notice),
            "fragments": elements.map(\.1).joined(separator: "\n"),
            "fragment": Dictionary(uniqueKeysWithValues: elements),
        ])
    }
}
#endif
