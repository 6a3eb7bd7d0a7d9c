// SPDX-License-Identifier: MIT

package import OnwardJournal

/// A question to a store and its log: one type, from which everything that asks it follows.
///
/// The interface for programs has it at its ``address``, a connected app is asked there, and the
/// ``fields`` are the parameters of the address, the arguments of an agent's tool and the options of
/// a command. A new question is a type of its own, and a line in ``Questions``.
package protocol LogQuestion: Codable, Hashable, Sendable {
    /// What it is answered with.
    associatedtype Answer: LogAnswer

    /// Where the interface has it, after the name of the store: `entries/:id`, `state?find=:text`.
    ///
    /// A colon stands before the name of a field that has its place there; the other fields are
    /// parameters of their own names.
    static var address: String { get }
    /// What is asked, by the names under which it is encoded.
    static var fields: [QuestionField] { get }
    /// What it is for agents and at a terminal; nil for a question that only pages and programs ask.
    static var tool: QuestionTool? { get }

    /// Finds the answer, on the thread for questions.
    ///
    /// - Throws: ``InspectorError`` if there is none.
    func answer(from store: AskedStore) throws -> Answer
}

extension LogQuestion {
    package static var fields: [QuestionField] { [] }
    package static var tool: QuestionTool? { nil }
}

/// A question whose answer is searched on another thread, in a store of this process.
///
/// A search may end in finding that there is nothing, which is an answer with a reason.
package protocol SearchQuestion: LogQuestion {
    /// Finds the answer; given up when the calling task is cancelled.
    func search(in store: any OwnStore) async throws -> Answer
}

/// What a question is answered with: an object in JSON.
package protocol LogAnswer: Sendable {
    /// The least answer: its fields are there in each one.
    static var example: Self { get }

    /// Reads the answer of an interface.
    init(written: DataValue) throws
    /// The answer as the interface gives it.
    func written() throws -> DataValue

    /// The answer with numbers that are safe to calculate with, in no more parts than are asked for.
    ///
    /// An app that connects may be any program, whose texts are shown as texts.
    var bounded: Self { get }
    /// The answer for people at a terminal.
    var lines: [String] { get }
}

extension LogAnswer {
    package var bounded: Self { self }
    package var lines: [String] { (try? written().indented(1 << 20)).map { [$0] } ?? [] }
}

extension LogAnswer where Self: Codable {
    package init(written: DataValue) throws { self = try written.decoded() }
    package func written() throws -> DataValue { try DataValue(encoding: self) }
}

/// What agents and people at a terminal need to know of a question.
package struct QuestionTool: Sendable, Hashable {
    /// The name of the agents' tool.
    package let name: String
    /// The name of the command.
    package let command: String
    /// What it is good for.
    package let purpose: String

    init(_ name: String, command: String? = nil, _ purpose: String) {
        (self.name, self.command, self.purpose) = (name, command ?? name, purpose)
    }
}

/// What a question is asked of.
package struct AskedStore {
    let store: any InspectedStore
    /// The log, which answers within limits.
    let log: any InspectedLog
    /// The pages of the store, and those of each store.
    let pages: [InspectorPage]
    let limits: QuestionLimits

    /// The moment after an entry; the one that is shown unless an entry is given.
    func moment(after entry: Int?) throws(InspectorError) -> Int {
        try log.moment(after: entry, or: log.summary.cursor)
    }
}

extension InspectedLog {
    /// The moment after an entry, or another one if none is given.
    func moment(after entry: Int?, or other: @autoclosure () -> Int) throws(InspectorError) -> Int {
        guard let entry else { return other() }
        guard let moment = moment(after: entry) else {
            throw InspectorError(.missing, "There is no entry \(entry).")
        }
        return moment
    }
}

extension Int {
    /// A count, clamped however large it was reported to be.
    var bounded: Int { Swift.min(Swift.max(self, 0), 1 << 52) }
}

extension Int64 {
    /// A time, clamped however large it was reported to be.
    var bounded: Int64 { Swift.min(Swift.max(self, 0), 1 << 62) }
}

extension Array {
    /// The first elements, each with a change.
    func bounded(_ limit: Int, _ change: (inout Element) -> Void) -> [Element] {
        prefix(limit).map { element in
            var element = element
            change(&element)
            return element
        }
    }
}
