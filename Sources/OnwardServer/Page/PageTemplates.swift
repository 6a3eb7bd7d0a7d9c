// SPDX-License-Identifier: MIT
#if Server

import Mustache

/// The page's library with our own templates added.
struct PageTemplates: Sendable {
    private(set) var library: MustacheLibrary
    private let wrapper: MustacheTemplate

    init(_ templates: MustacheLibrary) throws {
        var library = templates
        try library.register(Self.head, named: "onward/head")
        try library.register(Self.form, named: "onward/form")
        try library.register(Self.row, named: "onward/row")
        try library.register(Self.status, named: "onward/status")
        if library.getTemplate(named: "layout") == nil {
            try library.register(Self.layout, named: "layout")
        }
        self.library = library
        // A template finds its model's names first, and then those of the page. Its own name is
        // none that a model may have.
        self.wrapper = try MustacheTemplate(string: "{{#model}}{{>*onward.template}}{{/model}}")
    }

    /// The HTML of one model; if the key of a row and its id in addresses are given, for that row.
    func render(
        _ template: String, model: any Sendable, row: String = "", id: String = "",
        tokens: PageTokens, request: String
    ) throws(PageError) -> String {
        guard library.getTemplate(named: template) != nil else {
            throw PageError(.missingTemplate, key: template)
        }
        let context: [String: Any] = [
            "model": model, "expects": tokens.page, "request": request,
            // A model may have properties of any name, but hardly of this one.
            "onward": [
                "template": template, "row": row, "id": id, "request": request,
                "expects": tokens.page,
                "tokens": tokens.named,
            ] as [String: Any],
        ]
        return EscapedHTML.draw(wrapper, model: context, library: library)
    }

    /// The whole document.
    func renderDocument(_ context: [String: Any]) -> String {
        library.getTemplate(named: "layout").map {
            EscapedHTML.draw($0, model: context, library: library)
        } ?? ""
    }

    private static let layout = """
        <!doctype html>
        <html lang="{{language}}">
        <head>
        {{> onward/head}}
        </head>
        <body>
        {{> onward/status}}
        <main>
        {{{fragments}}}
        </main>
        </body>
        </html>

        """

    private static let head = """
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>{{title}}</title>
        {{#stylesheets}}
        <link rel="stylesheet" href="{{.}}">
        {{/stylesheets}}
        <script src="{{script}}" data-events="{{events}}" data-routes="{{routes}}"{{#uploads}} data-uploads="{{uploads}}"{{/uploads}} defer></script>

        """

    private static let status = """
        <p role="status" data-status>{{notice}}</p>

        """

    private static let form = """
        <input type="hidden" name="request" value="{{onward.request}}">
        <input type="hidden" name="expects" value="{{onward.expects}}">

        """

    /// Adds the partial for forms that demand a named token.
    mutating func registerForm(expecting name: String) throws {
        try library.register(
            """
            <input type="hidden" name="request" value="{{onward.request}}">
            <input type="hidden" name="expects/\(name)" value="{{onward.tokens.\(name)}}">

            """, named: "onward/form/\(name)")
    }

    private static let row = "data-row=\"{{onward.row}}\""
}
#endif
