// SPDX-License-Identifier: MIT

package import OnwardJournal

/// What a part of the state was, as JSON for people.
package struct StateTextQuestion: LogQuestion {
    package static let address = "state?raw=:raw"
    package static let fields: [QuestionField] = [QuestionField("raw", .integer), .entry, .path]

    /// The most letters.
    private var raw: Int
    private var entry: Int?
    private var path: DataPath?

    package init(after entry: Int, _ path: DataPath, limit: Int) {
        (self.entry, self.path, raw) = (entry, path, limit)
    }

    package func answer(from store: AskedStore) throws -> AtMoment<StateText> {
        try store.part(after: entry, path) { moment, path in
            store.log.text(at: moment, path, limit: min(max(raw, 1), 1_000_000))
                .map { StateText(text: $0) }
        }
    }
}

/// A part of a state as JSON with a line for each of its own parts.
package struct StateText: LogAnswer, Codable {
    package var text: String

    package static var example: StateText { StateText(text: "") }
}
