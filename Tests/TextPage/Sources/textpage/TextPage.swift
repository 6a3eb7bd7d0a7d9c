// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Logging
import Mustache
import Onward
import OnwardServer

/// Serves a page of texts that a stranger might have written, in every place where a page may have one.
///
/// What the texts are is also served as numbers, at `/texts/now`: so a test asks the browser's tree whether they came
/// through as texts, and whether anything but text came of them.
@main struct TextPage: AsyncParsableCommand {
    @Option(help: "The port to serve on, at 127.0.0.1; 0 takes any free one.")
    var port: UInt16 = 8080

    func run() async throws {
        let store = Store(Texts()) {
            Reduce { (texts: inout Texts, action: TextAction) in texts.apply(action) }
        }
        var options = ServerOptions(port: Int(port))
        options.logger.logLevel = .warning
        options.onListening = { port in
            print("http://127.0.0.1:\(port)")
            fflush(nil)  // A program that started us through a pipe waits for this line.
        }
        let numbers = AssetFolder("/texts/") { _ in
            let texts = store.state.texts.map { Array($0.unicodeScalars.map(\.value)) }
            return .init(
                Asset(
                    path: "/texts", contentType: "application/json",
                    bytes: Array(try JSONEncoder().encode(texts))))
        }
        try await PageServer(
            .texts(), hosting: .shared(store), folders: [numbers], options: options
        ).run()
    }
}

/// The texts that are shown.
struct Texts: Sendable {
    private(set) var texts: [String] = []
    /// Counts the changes.
    private(set) var change = 0

    mutating func apply(_ action: TextAction) {
        change += 1
        switch action {
        case .around(let scalars):
            texts = scalars.compactMap(Unicode.Scalar.init).map {
                Self.around($0, element: "<img src=x onerror=alert(1) ")
            }
        case .range(let first, let count, let together):
            let each = (first..<first + count).compactMap { Unicode.Scalar(UInt32($0)) }.map {
                Self.around($0, element: "<img ")
            }
            texts = stride(from: 0, to: each.count, by: together).map {
                each[$0..<min($0 + together, each.count)].joined(separator: "\n")
            }
        case .mix(let scalars, let seed, let count):
            var random = Random(state: seed)
            let all = scalars.compactMap(Unicode.Scalar.init) + Self.marks
            texts = (0..<count).map { _ in
                var text = String.UnicodeScalarView()
                for _ in 0..<12 { text.append(all[random.below(all.count)]) }
                return String(text)
            }
        case .text(let text): texts = [text]
        }
    }

    /// The five marks of HTML, with a scalar before, between and after them, then an element.
    ///
    /// A `<` begins a tag only before a letter: without the element, one that isn't escaped would
    /// stay text, and not be found.
    private static func around(_ scalar: Unicode.Scalar, element: String) -> String {
        var text = String.UnicodeScalarView([scalar])
        for mark in marks { text.append(contentsOf: [mark, scalar]) }
        text.append(contentsOf: element.unicodeScalars)
        text.append(contentsOf: [scalar, ">", scalar])
        return String(text)
    }

    private static let marks: [Unicode.Scalar] = ["<", ">", "\"", "'", "&"]
}

/// What a test has the page show.
enum TextAction: Action, Codable {
    /// Each scalar around the marks, as numbers.
    case around(scalars: [UInt32])
    /// The same of a range of code points, so many in a text, a line each.
    case range(first: Int, count: Int, together: Int)
    /// Texts of scalars and marks, as a seed says.
    case mix(scalars: [UInt32], seed: UInt64, count: Int)
    /// A text.
    case text(String)
}

/// Numbers that follow from a seed (SplitMix64).
private struct Random {
    var state: UInt64

    mutating func below(_ count: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(count))
    }
}

extension Page<Texts> {
    /// The texts as rows, and all of them in each kind of place.
    static func texts() throws -> Page<Texts> {
        var library = MustacheLibrary()
        try library.register("<b id=\"change\">{{change}}</b>", named: "change")
        try library.register(
            """
            <li {{> onward/row}} title="{{text}}" data-text='{{text}}'>{{text}}</li>
            """, named: "row")
        for (name, place) in places {
            try library.register("{{#texts}}\(place){{/texts}}", named: name)
        }
        return try Page(title: "Texts", templates: library, accepts: [TextAction.self]) { texts in
            [Fragment("change", model: ["change": texts.change])]
                + places.keys.sorted().map { Fragment($0, model: ["texts": texts.texts]) }
                + [
                    Fragment(
                        "row", rows: texts.texts.enumerated().map { Row(id: $0, text: $1) })
                ]
        }
    }

    private static let places = [
        "text": "<p>{{.}}</p>",
        "double": "<i title=\"{{.}}\"></i>",
        "single": "<i title='{{.}}'></i>",
        "link": "<a href=\"{{.}}\" data-route></a>",
        "query": "<a href=\"/?q={{.}}\"></a>",
        "field": "<input value=\"{{.}}\" name='{{.}}' placeholder=\"{{.}}\">",
        "textarea": "<textarea>{{.}}</textarea>",
        "option": "<select><option value=\"{{.}}\">{{.}}</option></select>",
        "drawing": "<svg><title>{{.}}</title><text>{{.}}</text></svg>",
        "math": "<math><mi title=\"{{.}}\">{{.}}</mi></math>",
        "classes": "<i class=\"{{.}}\" id='{{.}}' data-key=\"{{.}}\" aria-label='{{.}}'></i>",
        "cell": "<table><tr><td headers=\"{{.}}\">{{.}}</td></tr></table>",
    ]
}

/// A text as a row.
private struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    let text: String
}
