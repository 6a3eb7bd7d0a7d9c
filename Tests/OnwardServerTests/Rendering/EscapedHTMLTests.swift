// SPDX-License-Identifier: MIT
#if Server

import Foundation
import Mustache
import Onward
import Testing

@testable import OnwardServer

@Suite struct `Escaped HTML` {
    struct Row { let name: String }
    enum Suit { case hearts }
    struct Model {
        let rows: [Row]
        let title: String?
        let missing: String?
        let suit: Suit
        let names: [String: String]
        let isOn: Bool
        let none: [Row]
    }
    struct Sign: MustacheCustomRenderable {
        let renderText: String
        var isNull: Bool { false }
    }
    struct Post: MustacheCustomRepresentation {
        let representation: Any?
    }

    @Test func `a template sees a model as before, however deep`() throws {
        let template = try MustacheTemplate(
            string: """
                {{#rows}}[{{name}}]{{/rows}}{{title}}{{missing}}{{suit}}{{names.a}}\
                {{#isOn}}on{{/isOn}}{{^none}}none{{/none}}{{^missing}}!{{/missing}}
                """)
        let model = Model(
            rows: [Row(name: "\"\u{301}"), Row(name: "b")], title: "t", missing: nil, suit: .hearts,
            names: ["a": "\u{600}<\u{301}"], isOn: true, none: [])
        let html = EscapedHTML.draw(template, model: model)
        #expect(scalars(html) == scalars("[&quot;\u{301}][b]thearts\u{600}&lt;\u{301}onnone!"))
    }

    private struct Item { let title: String?, author: Author?, tags: [String]? }
    private struct Author { let name: String? }
    private class Named { let title: String?; init(_ title: String?) { self.title = title } }
    private final class Numbered: Named { let number = 1 }
    private struct Parent: MustacheParent {
        let title: String?
        func child(named name: String) -> Any? { name == "title" ? title : nil }
    }

    @Test func `an absent value is empty, whatever stands further out`() throws {
        let template = try MustacheTemplate(
            string: """
                {{#items}}[{{title}}{{#title}}has {{.}}{{/title}}{{^title}}none{{/title}}\
                {{#author}}by {{name}}{{/author}}{{author.name}}{{#tags}}{{.}}{{/tags}}{{root}}]{{/items}}
                """)
        let items: [Any] = [
            Item(title: nil, author: nil, tags: nil), Item(title: nil, author: nil, tags: []),
            ["title": nil, "author": nil, "tags": nil] as [String: String?],
            ["title": NSNull(), "author": Optional<Author>.none as Any, "tags": [Int]()]
                as [String: Any],
        ]
        for item in items {
            let page: [String: Any] = [
                "items": [item], "title": "Page", "author": Author(name: "Page"),
                "tags": ["Page"], "name": "Page", "root": "/",
            ]
            #expect(EscapedHTML.draw(template, model: page) == "[none/]", "\(item)")
        }
    }

    @Test func `an absent value of a nested model, a superclass and a parent is empty as well`()
        throws
    {
        let template = try MustacheTemplate(
            string: "{{#items}}[{{title}}{{#author}}{{name}}{{/author}}{{author.name}}]{{/items}}")
        let page: [String: Any] = [
            "items": [
                Item(title: "Own", author: Author(name: nil), tags: nil), Numbered(nil),
                Parent(title: nil), Numbered("Sub"), Parent(title: "Answer"),
            ] as [Any],
            "title": "Page", "name": "Page",
        ]
        #expect(EscapedHTML.draw(template, model: page) == "[Own][][][Sub][Answer]")
    }

    @Test func `a name that no inner model declares is looked up further out`() throws {
        let template = try MustacheTemplate(
            string: "{{#items}}[{{title}}{{#title}}has {{.}}{{/title}}]{{/items}}")
        let page: [String: Any] = ["items": [["other": "x"], [:]], "title": "Page"]
        #expect(EscapedHTML.draw(template, model: page) == "[Pagehas Page][Pagehas Page]")
    }

    @Test func `a model may have an absent field of any name`() throws {
        struct Model { let template, model, request, expects: String? }
        var library = MustacheLibrary()
        try library.register("{{> onward/form}}[{{template}}{{request}}{{expects}}]", named: "f")
        let html = try PageTemplates(library).render(
            "f", model: Model(template: nil, model: nil, request: nil, expects: nil),
            tokens: PageTokens(page: "token", named: [:]), request: "id")
        #expect(html.contains("value=\"id\"") && html.contains("value=\"token\""))
        #expect(html.hasSuffix("[]"))
    }

    /// Counts how often its fields are read.
    private struct Counted: CustomReflectable {
        let reads = Guarded(0)
        var customMirror: Mirror {
            reads.withValue { $0 += 1 }
            return Mirror(self, children: ["a": "1", "b": Optional<String>.none as Any, "a": "2"])
        }
    }

    @Test func `the fields of a model are read once, however many a template asks for`() throws {
        let template = try MustacheTemplate(string: "{{a}}{{b}}{{c}}{{#a}}{{a}}{{/a}}{{b}}")
        let model = Counted()
        #expect(EscapedHTML.draw(template, model: model) == "11")
        #expect(model.reads.withValue { $0 } == 1)
    }

    @Test(arguments: ["\u{E0FFE}", "\u{E0FFF}", "\u{E0FFD}", "<", "\u{600}", "a"])
    func `a text keeps every scalar, those that stand beside marks on the way as well`(
        first: String
    ) throws {
        let template = try MustacheTemplate(string: "{{text}}")
        let layout = try MustacheTemplate(string: "{{{html}}}")
        let parts = ["\u{E0FFE}", "\u{E0FFF}", "<", "\u{E0FFF}\u{E0FFF}", "a", "\u{600}"]
        for second in parts {
            for third in parts {
                let text = first + second + third + first
                let html = EscapedHTML.draw(template, model: ["text": text])
                let expected = scalars(
                    text.unicodeScalars.map { $0 == "<" ? "&lt;" : String($0) }.joined())
                #expect(scalars(html) == expected)
                let document = EscapedHTML.draw(layout, model: ["html": DrawnHTML(html)])
                #expect(scalars(document) == expected)
            }
        }
    }

    @Test func `no value has a way of its own into HTML`() throws {
        let text = "\u{600}<b>"
        let values: [(Any, String)] = [
            (text, "\u{600}&lt;b&gt;"), (Substring(text), "\u{600}&lt;b&gt;"),
            (Character("\u{600}<"), "\u{600}&lt;"), (Sign(renderText: text), "\u{600}&lt;b&gt;"),
            (Post(representation: text), "\u{600}&lt;b&gt;"),
            (Optional(text) as Any, "\u{600}&lt;b&gt;"),
        ]
        let template = try MustacheTemplate(string: "{{value}}")
        for (value, html) in values {
            #expect(
                scalars(EscapedHTML.draw(template, model: ["value": value])) == scalars(html),
                "\(type(of: value))")
        }
        let drawsMarkup: [Any] = [
            try MustacheTemplate(string: text), MustacheLambda { _ in text },
            MustacheLambda { text },
        ]
        for value in drawsMarkup {
            let html = EscapedHTML.draw(template, model: ["value": value])
            #expect(!html.unicodeScalars.contains("<"), "\(type(of: value))")
        }
    }

    @Test func `other texts stay as they are`() throws {
        let template = try MustacheTemplate(string: "{{{.}}}")
        for text in ["", "plain", "é e\u{301} 👩‍👩‍👧 \r\n", "<b>\"'&", "\u{600}<\u{301}&\u{600}>\u{1}"] {
            #expect(scalars(EscapedHTML.draw(template, model: text)) == scalars(text))
        }
    }

    /// Every scalar that joins a mark to one `Character`, and a choice of all others, before, between and
    /// behind the five marks, in an element and in attributes of both kinds.
    @Test func `no scalar beside a mark makes it markup`() throws {
        let template = try MustacheTemplate(
            string: "<p title=\"{{.}}\" class='{{.}}'>{{.}}</p>")
        let marks = "<>&\"'".unicodeScalars.map { Character($0) }
        let all = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
        // Of those that join something, and in steps through the rest.
        let chosen = all.filter { scalar in
            scalar.value % 512 == 0 || scalar.properties.isGraphemeExtend
                || scalar.properties.generalCategory == .spacingMark
                || scalar.properties.generalCategory == .format
                || "\(scalar)<".count < 2 || "\(scalar)".count != 1
        }
        #expect(chosen.count > 3_000)
        #expect(
            chosen.contains("\u{600}") && chosen.contains("\u{D4E}") && chosen.contains("\u{200D}"))
        var generator = SystemRandomNumberGenerator()
        for start in stride(from: 0, to: chosen.count, by: 400) {
            var text = String.UnicodeScalarView()
            for scalar in chosen[start..<min(start + 400, chosen.count)] {
                for mark in marks.shuffled(using: &generator) {
                    text.append(scalar)
                    text.append(contentsOf: mark.unicodeScalars)
                }
                text.append(scalar)
            }
            let escaped = text.reduce(into: String.UnicodeScalarView()) { escaped, scalar in
                escaped.append(contentsOf: (Self.entities[scalar] ?? "\(scalar)").unicodeScalars)
            }
            let wanted =
                "<p title=\"" + String(escaped) + "\" class='" + String(escaped) + "'>"
                + String(escaped) + "</p>"
            #expect(scalars(EscapedHTML.draw(template, model: String(text))) == scalars(wanted))
        }
    }

    private static let entities: [Unicode.Scalar: String] = [
        "<": "&lt;", ">": "&gt;", "&": "&amp;", "\"": "&quot;", "'": "&#39;",
    ]

    /// What is compared, as texts are equal to Swift that aren't to a browser.
    private func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
}
#endif
