// SPDX-License-Identifier: MIT

/// Which pages of others a store has.
package struct PagesQuestion: LogQuestion {
    package static let address = "pages"

    package func answer(from store: AskedStore) -> PageList {
        PageList(pages: store.pages.map(\.summary))
    }
}

/// What there is to know of pages without asking them.
package struct PageList: LogAnswer, Codable {
    package var pages: [PageSummary]

    package static var example: PageList { PageList(pages: []) }
}
