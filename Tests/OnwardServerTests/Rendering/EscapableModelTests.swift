// SPDX-License-Identifier: MIT
#if Server

import Mustache
import Testing

@testable import OnwardServer

@Suite struct `Making texts escapable` {
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

    @Test func `a template sees a model as before, however deep`() throws {
        let template = try MustacheTemplate(
            string: """
                {{#rows}}[{{name}}]{{/rows}}{{title}}{{missing}}{{suit}}{{names.a}}\
                {{#isOn}}on{{/isOn}}{{^none}}none{{/none}}{{^missing}}!{{/missing}}
                """)
        let model = Model(
            rows: [Row(name: "\"\u{301}"), Row(name: "b")], title: "t", missing: nil, suit: .hearts,
            names: ["a": "<\u{301}"], isOn: true, none: [])
        #expect(
            template.render(EscapableModel(model))
                == "[&quot;\u{2060}\u{301}][b]thearts&lt;\u{2060}\u{301}onnone!")
    }

    @Test func `other texts stay as they are`() {
        for text in ["", "plain", "é e\u{301} 👩‍👩‍👧 \r\n", "<b>\"'&"] {
            #expect(
                EscapableModel.separateMarks(in: text).unicodeScalars.elementsEqual(
                    text.unicodeScalars))
        }
    }
}
#endif
