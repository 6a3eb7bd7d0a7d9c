// SPDX-License-Identifier: MIT

package import OnwardJournal

/// Where two states differ.
package struct DiffQuestion: LogQuestion {
    package static let address = "diff"
    package static let fields: [QuestionField] = [
        QuestionField(
            "from", .entry, "The id of the earlier entry; the one before `to` unless given.",
            isPositional: true),
        QuestionField(
            "to", .entry, "The id of the later entry; the one that is shown unless given.",
            isPositional: true), .path, .limit,
    ]
    package static let tool: QuestionTool? = QuestionTool(
        "diff", "Where the states after two entries differ. Without `from`, what one entry changed."
    )

    private var from: Int?
    private var to: Int?
    private var path: DataPath?
    private var limit: Int?

    package init(from: Int, to: Int, _ path: DataPath, limit: Int) {
        (self.from, self.to, self.path, self.limit) = (from, to, path, limit)
    }

    package func answer(from store: AskedStore) throws -> FoundChanges {
        let new = try store.moment(after: to)
        let old = try store.log.moment(after: from, or: max(new - 1, 0))
        return FoundChanges(
            changes: store.log.changes(
                from: old, to: new, in: path ?? DataPath(),
                limit: min(max(limit ?? 1_000, 1), 10_000)))
    }
}

/// Where two states differ.
package struct FoundChanges: LogAnswer, Codable {
    package var changes: [StateChange]

    package static var example: FoundChanges {
        FoundChanges(changes: [StateChange(at: DataPath(), from: nil, to: nil)])
    }
    package var bounded: FoundChanges { FoundChanges(changes: Array(changes.prefix(10_000))) }
    package var lines: [String] {
        changes.map { "\($0.path.isEmpty ? "the state" : "\($0.path)"): \($0.summary)" }
    }
}

extension StateChange {
    /// The old and the new value.
    var summary: String {
        "\(old.isEmpty ? "nothing" : old) → \(new.isEmpty ? "nothing" : new)"
    }
}
