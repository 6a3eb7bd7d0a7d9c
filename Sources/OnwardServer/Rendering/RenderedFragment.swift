// SPDX-License-Identifier: MIT
#if Server

import Onward

/// A fragment's HTML, rendered once for all readers.
struct RenderedFragment: Sendable {
    /// What it was rendered from.
    let source: Fragment
    private let body: Body

    private enum Body {
        case html(RenderedHTML, changed: CommitVersion)
        case rows(RenderedRows)
    }

    /// The version that first rendered this HTML.
    var changed: CommitVersion {
        switch body {
        case .html(_, let changed): changed
        case .rows(let rows): rows.changed
        }
    }

    /// Draws a fragment, or keeps what is already drawn.
    ///
    /// - Parameters:
    ///   - source: What to draw.
    ///   - old: The fragment with this key in the previous page.
    ///   - writer: Draws templates.
    ///   - version: The version that is being rendered.
    /// - Throws: ``PageError`` if its description is wrong.
    init(
        _ source: Fragment, after old: RenderedFragment?, writer: TemplateWriter,
        version: CommitVersion
    ) throws(PageError) {
        self.source = source
        let isSameTemplate = old?.source.template == source.template
        switch source.content {
        case .model(let model):
            if let old, isSameTemplate, !writer.isNew, old.isDrawn(from: model) {
                body = old.body
                return
            }
            let html = try writer.draw(source.template, model)
            if let old, case .html(html, _) = old.body {
                body = old.body
            } else {
                body = .html(html, changed: version)
            }
        case .rows(let models, _):
            let rows = isSameTemplate && old?.source.tag == source.tag ? old?.rows : nil
            body = .rows(
                try RenderedRows(
                    models, template: source.template, after: rows, writer: writer, version: version
                ))
        }
    }

    /// The line of an event that sends it.
    ///
    /// - Parameter known: The version the reader has; nil if it has none.
    /// - Returns: `{"html":"…","key":"…"}` for the whole, `{"key":"…","rows":[…]}` for some rows.
    func line(after known: CommitVersion? = nil) -> String {
        switch body {
        case .html(let html, _):
            return "{\"html\":\"\(html.json)\",\"key\":\"\(source.key)\"}"
        case .rows(let rows):
            if let steps = known.flatMap(rows.steps(after:)) {
                let list = steps.map(\.description).joined(separator: ",")
                return "{\"key\":\"\(source.key)\",\"rows\":[\(list)]}"
            }
            let html = rows.rows.map(\.html.json).joined()
            return "{\"html\":\"\(html)\",\"key\":\"\(source.key)\",\"tag\":\"\(source.tag)\"}"
        }
    }

    /// The element of a document, with a placeholder for each form's request id.
    func element(placeholder: String) -> String {
        let html =
            switch body {
            case .html(let html, _): html.html.joined(by: placeholder)
            case .rows(let rows):
                rows.rows.map { $0.html.html.joined(by: placeholder) }.joined()
            }
        return "<\(source.tag) data-fragment=\"\(source.key)\">\(html)</\(source.tag)>"
    }

    private var rows: RenderedRows? {
        guard case .rows(let rows) = body else { return nil }
        return rows
    }

    private func isDrawn(from model: any Equatable & Sendable) -> Bool {
        func equals<Model: Equatable>(_ model: Model) -> Bool {
            guard case .model(let ours) = source.content else { return false }
            return ours as? Model == model
        }
        return equals(model)
    }
}
#endif
