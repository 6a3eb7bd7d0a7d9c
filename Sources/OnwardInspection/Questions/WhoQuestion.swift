// SPDX-License-Identifier: MIT

internal import OnwardJournal

/// Which entries changed a part of the state.
package struct WhoQuestion: LogQuestion {
    package static let address = "who"
    package static let fields =
        [QuestionField("path", .text, QuestionField.path.purpose, isRequired: true)]
        + EntriesQuestion.filters + [.limit]
    package static let tool: QuestionTool? = QuestionTool(
        "who_changed", command: "who",
        "The entries that changed what is at a path of the state, the newest ones, each with the old and the new value."
    )

    private let entries: EntriesQuestion

    package init(from decoder: any Decoder) throws {
        entries = try EntriesQuestion(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws { try entries.encode(to: encoder) }

    package func answer(from store: AskedStore) -> EntryPage {
        var query = entries.query
        query.path = query.path ?? DataPath()
        return store.log.entries(query)
    }
}
