// SPDX-License-Identifier: MIT
#if Server

/// Draws the templates of one version of a page.
struct TemplateWriter {
    let templates: PageTemplates
    /// The tokens that its forms demand.
    let tokens: PageTokens
    /// Marks where a document puts a fresh request id.
    let placeholder: String
    /// Whether it may draw different HTML from an equal model than the previous writer.
    let isNew: Bool

    /// Draws a model.
    func draw(_ template: String, _ model: any Sendable) throws(PageError) -> RenderedHTML {
        let html = try templates.render(
            template, model: model, tokens: tokens, request: placeholder)
        return RenderedHTML(html, placeholder: placeholder)
    }

    /// Draws a row: an element that identifies itself, and nothing around it.
    func drawRow(
        _ template: String, _ model: any Sendable, key: String, id: String
    ) throws(PageError) -> RenderedHTML {
        var html = try templates.render(
            template, model: model, row: key, id: id, tokens: tokens,
            request: placeholder)[...]
        while html.first?.isWhitespace == true { html.removeFirst() }
        while html.last?.isWhitespace == true { html.removeLast() }
        guard html.first == "<", html.contains("data-row=\"\(key)\"") else {
            throw PageError(.namelessRow, key: template)
        }
        return RenderedHTML(String(html), placeholder: placeholder)
    }
}
#endif
