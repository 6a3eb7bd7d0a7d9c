// SPDX-License-Identifier: MIT

package import OnwardJournal

/// What a part of the state was.
package struct StateQuestion: LogQuestion {
    package static let address = "state"
    package static let fields: [QuestionField] = [
        .entry, .path,
        QuestionField(
            "from", .integer, "The first element of a list, or field, that is wanted."),
        .limit,
    ]
    package static let tool: QuestionTool? = QuestionTool(
        "state",
        "A part of the state after an entry, two levels deep. Go deeper with the paths in the answer."
    )

    private var entry: Int?
    private var path: DataPath?
    private var from: Int?
    private var limit: Int?

    package init(after entry: Int, _ path: DataPath, from: Int, limit: Int) {
        (self.entry, self.path, self.from, self.limit) = (entry, path, from, limit)
    }

    package func answer(from store: AskedStore) throws -> AtMoment<StateNode> {
        try store.part(after: entry, path) { moment, path in
            store.log.state(at: moment, path, from: from ?? 0, limit: limit ?? 100)
        }
    }
}

/// What is there at the moment that stands for the one that was asked for.
package struct AtMoment<Value: LogAnswer>: LogAnswer {
    package var value: Value
    var moment: Int?

    package static var example: AtMoment { AtMoment(value: .example) }

    package func written() throws -> DataValue {
        var written = try value.written()
        written["moment"] = moment.map { .integer(Int64($0)) }
        return written
    }

    package var bounded: AtMoment { AtMoment(value: value.bounded, moment: moment?.bounded) }
    package var lines: [String] { value.lines }
}

extension AtMoment {
    package init(written: DataValue) throws {
        self.init(
            value: try Value(written: written),
            moment: written["moment"]?.integer(as: Int.self))
    }
}

extension AskedStore {
    /// What is at a path of the state after an entry.
    ///
    /// - Throws: ``InspectorError`` if there is nothing.
    func part<Value>(
        after entry: Int?, _ path: DataPath?, _ find: (_ moment: Int, _ path: DataPath) -> Value?
    ) throws -> AtMoment<Value> {
        let (moment, path) = (try moment(after: entry), path ?? DataPath())
        guard let value = find(moment, path) else {
            throw InspectorError(.missing, "The state has nothing at \"\(path)\".")
        }
        return AtMoment(value: value, moment: log.knownMoment(upTo: moment))
    }
}

extension StateNode: LogAnswer {
    package static var example: StateNode { StateNode() }

    package var bounded: StateNode {
        var node = self
        node.count = count.bounded
        node.first = min(first.bounded, node.count)
        node.parts = parts.prefix(1_000).map(\.bounded)
        return node
    }

    package var lines: [String] {
        if parts.isEmpty { return text.isEmpty ? [] : [summary] }
        return parts.flatMap { $0.parts.isEmpty ? [$0.summary] : $0.lines }
    }

    private var summary: String { "\(path.isEmpty ? "the whole" : "\(path)"): \(text)" }
}
