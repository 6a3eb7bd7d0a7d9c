// SPDX-License-Identifier: MIT

/// What a page of others answers.
package struct PageBlocksQuestion: LogQuestion {
    package static let address = "pages/:page"
    package static let fields: [QuestionField] = [
        QuestionField("page", .text), QuestionField("entry", .integer),
        QuestionField("ask", .object),
    ]

    private var page: String
    private var entry: Int?
    private var ask: [String: String]?

    package init(_ page: String, _ question: PageQuestion, entry: Int) {
        (self.page, self.entry, ask) = (page, entry, question.texts)
    }

    package func answer(from store: AskedStore) throws -> PageAnswer {
        guard let page = store.pages[page] else {
            throw InspectorError(.missing, "There is no page \"\(page)\".")
        }
        let context = PageContext(store.log, entry: entry, within: store.limits) {
            store.store.activity
        }
        return PageAnswer(blocks: try page.blocks(asking: ask ?? [:], in: context))
    }
}

/// The blocks of a page.
package struct PageAnswer: LogAnswer, Codable {
    package var blocks: [PageBlock]

    package static var example: PageAnswer { PageAnswer(blocks: []) }
    package var bounded: PageAnswer { PageAnswer(blocks: blocks.bounded) }
}
