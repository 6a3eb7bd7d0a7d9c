// SPDX-License-Identifier: MIT

public import OnwardJournal

/// The log of a store for queries: a value that doesn't change while the store goes on.
///
/// Entries are identified by their ids, moments by their index: 0 is the state before the first
/// entry, *n* the state after the *n*-th one. It keeps no state that the log doesn't keep: each
/// query runs the entries that it needs, and encodes the parts of the states that it shows.
public protocol InspectedLog: Sendable {
    /// The log's length, and what is shown; equal summaries of one store mean no change.
    var summary: LogSummary { get }

    /// Returns a page of the entries that match a query.
    ///
    /// - Complexity: O(entries that are examined), at most ``EntryQuery/mostExamined``.
    func entries(_ query: EntryQuery) -> EntryPage

    /// Returns the details of an entry, or nil if there is no such entry.
    func entry(_ id: Int) -> EntryDetail?

    /// Returns the moment after an entry, 0 for the one before all; nil if there is no such entry.
    func moment(after id: Int) -> Int?

    /// Returns the entry before a moment, 0 for the moment before all; nil for no such moment.
    func id(before moment: Int) -> Int?

    /// Returns the moment whose state stands for that of another one; nil if none is known.
    ///
    /// A log that can run its entries knows the state at each moment. A file may only have a few
    /// states, of which the last one up to a moment stands for it.
    func knownMoment(upTo moment: Int) -> Int?

    /// Returns a part of the state at a moment, or nil if there is none.
    ///
    /// - Parameters:
    ///   - moment: The index of the moment, which is clamped.
    ///   - path: The path of the part.
    ///   - first: The first element of a list to return, or the first field of an object.
    ///   - limit: The maximum number of elements or fields.
    /// - Returns: The part, with a little of what is below it.
    func state(at moment: Int, _ path: DataPath, from first: Int, limit: Int) -> StateNode?

    /// Returns where the states at two moments differ.
    ///
    /// - Complexity: O(size of the states).
    func changes(from old: Int, to new: Int, in path: DataPath, limit: Int) -> [StateChange]

    /// Returns the complete value of a part of the state at a moment, or nil if there is none.
    ///
    /// - Complexity: O(size of the part).
    func value(at moment: Int, _ path: DataPath) -> DataValue?

    /// Returns a part of the state as JSON with a line per part, or nil if there is none.
    ///
    /// - Parameters:
    ///   - moment: The index of the moment.
    ///   - path: The path of the part.
    ///   - limit: The maximum number of characters; an ellipsis stands for the rest.
    /// - Returns: The text.
    /// - Complexity: O(size of the part).
    func text(at moment: Int, _ path: DataPath, limit: Int) -> String?

    /// Finds the parts of the state at a moment whose name or value contains a text, ignoring case.
    ///
    /// - Parameters:
    ///   - text: The text; an empty one is never found.
    ///   - moment: The index of the moment.
    ///   - path: The part of the state to search.
    ///   - limit: The maximum number of parts.
    /// - Returns: Names of parts that have parts themselves, and values of those that have none, in
    ///   the order of the state.
    /// - Complexity: O(size of the part).
    func find(_ text: String, at moment: Int, in path: DataPath, limit: Int) -> [StateNode]

    /// Returns the lifelines of effects: when each began and ended, and the entries in that time.
    ///
    /// - Complexity: O(effects and entries that are recorded).
    func effects(_ query: EffectQuery) -> EffectPage

    /// Returns the entries that changed where the user is, each with its change to the route.
    ///
    /// This covers a state's stacks of routes, and those of its windows and tabs, in structs,
    /// optionals and enums, and in the first 32 elements of each collection. Only the start and the
    /// limit of the query are used.
    ///
    /// - Complexity: O(entries that are examined), at most ``EntryQuery/mostExamined``, each with
    ///   the parts of its state.
    func routes(_ query: EntryQuery) -> EntryPage

    /// Generates a Swift Testing test that runs entries and expects the states after them.
    ///
    /// - Parameters:
    ///   - start: The moment before the first entry.
    ///   - end: The moment after the last one.
    /// - Returns: The contents of a source file.
    /// - Throws: ``InspectorError`` for states or actions that can't be written.
    /// - Complexity: O(entries × size of the state).
    func testSource(from start: Int, to end: Int) throws(InspectorError) -> String

    /// Returns how far the search is for a test that runs a shortest list of entries that still
    /// leads to a value, with values as simple as that allows.
    ///
    /// Looking doesn't begin a search: that is a job, which goes on while someone waits for it.
    ///
    /// - Parameters:
    ///   - moment: The moment that has the value.
    ///   - path: The part of the state that must be as it is then.
    /// - Returns: The test, if it has been found.
    func shortestTest(to moment: Int, keeping path: DataPath) -> ShortestTest

    /// Makes queries that belong together.
    ///
    /// - Parameter questions: Makes the queries on the log that is passed to it, which is this one.
    /// - Returns: The result of the closure; nil if an answer isn't available yet, as from a remote
    ///   store.
    func answering<Value>(_ questions: (any InspectedLog) -> Value) -> Value?
}

extension InspectedLog {
    /// Returns no effects, since none are known.
    public func effects(_ query: EffectQuery) -> EffectPage { EffectPage() }

    /// Returns no routes, since none are known.
    public func routes(_ query: EntryQuery) -> EntryPage { EntryPage() }

    /// Returns the moment itself.
    public func knownMoment(upTo moment: Int) -> Int? { moment }

    /// Returns the entries that changed what is at a path of the state, each with its change.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - end: The moment at which the search ends; nil for the newest one.
    ///   - limit: The maximum number of entries.
    /// - Returns: The newest such entries.
    public func changes(of path: DataPath, before end: Int? = nil, limit: Int = 100) -> EntryPage {
        var query = EntryQuery()
        query.path = path
        query.start = end.map { .before($0) } ?? .end
        query.limit = limit
        return entries(query)
    }

    /// Answers every query at once.
    public func answering<Value>(_ questions: (any InspectedLog) -> Value) -> Value? {
        questions(self)
    }

    /// Returns the whole part, written as far as there is room.
    public func text(at moment: Int, _ path: DataPath, limit: Int) -> String? {
        value(at: moment, path)?.indented(limit)
    }

    /// Searches the whole part.
    public func find(
        _ text: String, at moment: Int, in path: DataPath, limit: Int
    ) -> [StateNode] {
        guard !text.isEmpty, let value = value(at: moment, path) else { return [] }
        let text = text.lowercased()
        var found: [StateNode] = []
        func search(_ value: DataValue, at path: DataPath) {
            for (step, part) in value.parts {
                guard found.count < limit else { return }
                let path = path.appending(step)
                if step.lowercased().contains(text) || part.hasText(text) {
                    found.append(StateNode(part, at: path, 0..<0, depth: 0))
                }
                search(part, at: path)
            }
        }
        search(value, at: path)
        return found
    }

    /// Fails, since there is no test if entries can't be run again.
    public func shortestTest(to moment: Int, keeping path: DataPath) -> ShortestTest {
        .failed(
            InspectorError(
                .refused,
                "A shortest test takes the app's reducers and a Codable state, which are not here."
            ))
    }

    /// Throws, since there is no test if entries can't be run again.
    public func testSource(from start: Int, to end: Int) throws(InspectorError) -> String {
        throw InspectorError(
            .refused, "A test takes the app's reducers and actions, which are not here.")
    }
}

extension InspectedLog {
    /// The log, answering within limits if it can.
    package func within(_ limits: QuestionLimits) -> any InspectedLog {
        (self as? any LimitedLog)?.limited(by: limits) ?? self
    }
}

/// A log that gives up what takes too long.
package protocol LimitedLog: InspectedLog {
    /// The log with limits for the answers to come.
    func limited(by limits: QuestionLimits) -> Self
}

extension DataValue {
    /// Whether this is a value without parts that contains a text in lower case.
    fileprivate func hasText(_ text: String) -> Bool {
        switch self {
        case .text(let own): own.lowercased().contains(text)
        case .list, .object: false
        default: preview(200).contains(text)
        }
    }
}
