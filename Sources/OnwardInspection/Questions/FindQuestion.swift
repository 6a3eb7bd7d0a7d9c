// SPDX-License-Identifier: MIT

package import OnwardJournal

/// Where the state had a text.
package struct FindQuestion: LogQuestion {
    package static let address = "state?find=:text"
    package static let fields: [QuestionField] = [
        QuestionField("text", .text, "The text.", isRequired: true), .entry, .path, .limit,
    ]
    package static let tool: QuestionTool? = QuestionTool(
        "find_in_state", command: "find",
        "The parts of the state after an entry that have a text in their name or value.")

    private var text: String
    private var entry: Int?
    private var path: DataPath?
    private var limit: Int?

    package init(_ text: String, after entry: Int, _ path: DataPath, limit: Int) {
        (self.text, self.entry, self.path, self.limit) = (text, entry, path, limit)
    }

    package func answer(from store: AskedStore) throws -> FoundParts {
        FoundParts(
            found: store.log.find(
                text, at: try store.moment(after: entry), in: path ?? DataPath(),
                limit: min(max(limit ?? 100, 1), 1_000)))
    }
}

/// The parts of a state that have a text.
package struct FoundParts: LogAnswer, Codable {
    package var found: [StateNode]

    package static var example: FoundParts { FoundParts(found: [StateNode()]) }
    package var bounded: FoundParts { FoundParts(found: found.prefix(1_000).map(\.bounded)) }
    package var lines: [String] { found.map { "\($0.path): \($0.text)" } }
}
