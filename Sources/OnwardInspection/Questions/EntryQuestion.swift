// SPDX-License-Identifier: MIT

/// What is known of an entry.
package struct EntryQuestion: LogQuestion {
    package static let address = "entries/:id"
    package static let fields = [
        QuestionField("id", .entry, "The id of the entry.", isRequired: true)
    ]
    package static let tool: QuestionTool? = QuestionTool(
        "entry", command: "show",
        "All that is known of one action: its payload, and where it was dispatched.")

    private var id: Int

    package init(_ id: Int) { self.id = id }

    package func answer(from store: AskedStore) throws -> EntryDetail {
        guard let entry = store.log.entry(id) else {
            throw InspectorError(.missing, "There is no entry \(id).")
        }
        return entry
    }
}

extension EntryDetail: LogAnswer {
    package static var example: EntryDetail { EntryDetail() }

    package var bounded: EntryDetail {
        var detail = self
        detail.line = line.bounded
        detail.payload = payload.bounded
        return detail
    }

    package var lines: [String] { [line.summary] + payload.lines }
}
