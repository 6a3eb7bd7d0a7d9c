// SPDX-License-Identifier: MIT

package import OnwardJournal

/// What a part of the state was, with all that it has.
package struct WholeStateQuestion: LogQuestion {
    package static let address = "state?whole=1"
    package static let fields: [QuestionField] = [.entry, .path]

    private var entry: Int?
    private var path: DataPath?

    package func answer(from store: AskedStore) throws -> AtMoment<WholePart> {
        try store.part(after: entry, path) { moment, path in
            store.log.value(at: moment, path).map { WholePart(path: "\(path)", value: $0) }
        }
    }
}

/// A part of a state as it is.
package struct WholePart: LogAnswer {
    var path: String
    var value: DataValue

    package static var example: WholePart { WholePart(path: "", value: .null) }
}

extension WholePart {
    package init(written: DataValue) {
        self.init(path: written["path"]?.text ?? "", value: written["value"] ?? .null)
    }

    package func written() -> DataValue { ["path": .text(path), "value": value] }
}
