// SPDX-License-Identifier: MIT

/// What a test of some entries is.
package struct TestQuestion: LogQuestion {
    package static let address = "test"
    package static let fields: [QuestionField] = [
        QuestionField(
            "from", .entry, "The id of the entry before the first one; ten back unless given."),
        QuestionField(
            "to", .entry, "The id of the last entry; the one that is shown unless given."),
    ]
    package static let tool: QuestionTool? = QuestionTool(
        "test_source", command: "test",
        "The source of a Swift Testing test that runs entries and expects their states.")

    private var from: Int?
    private var to: Int?

    package init(from: Int, to: Int) { (self.from, self.to) = (from, to) }

    package func answer(from store: AskedStore) throws -> TestSource {
        let end = try store.moment(after: to)
        let start = try store.log.moment(after: from, or: max(end - 10, 0))
        return TestSource(source: try store.log.testSource(from: start, to: end))
    }
}

/// The contents of a source file.
package struct TestSource: LogAnswer, Codable {
    package var source: String

    package static var example: TestSource { TestSource(source: "") }
    package var lines: [String] { [source] }
}
