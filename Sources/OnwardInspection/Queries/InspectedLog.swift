// SPDX-License-Identifier: MIT

public import OnwardJournal

/// What can be asked about the log of a store: a value, which stays as it was while the store goes on.
///
/// Entries are known by their ids, moments by their index: 0 is the state before the first entry, *n* the state
/// after the *n*-th one. No state is kept in it that the log doesn't keep: each question runs the entries that it takes to
/// answer, and encodes of the states what it shows.
public protocol InspectedLog: Sendable {
    /// How long the log is, and what is shown. Equal summaries of one store mean that nothing has changed.
    var summary: LogSummary { get }

    /// A page of the entries that fit a question.
    ///
    /// - Complexity: O(entries that are looked at), at most ``EntryQuery/mostExamined``.
    func entries(_ query: EntryQuery) -> EntryPage

    /// All that an entry says; nil where there is none.
    func entry(_ id: Int) -> EntryDetail?

    /// The moment right after an entry, 0 for the one before all; nil where there is no such entry.
    func moment(after id: Int) -> Int?

    /// The entry right before a moment, 0 for the moment before all; nil where there is no such moment.
    func id(before moment: Int) -> Int?

    /// The moment whose state is given where that of another one is asked for; nil where none is known.
    ///
    /// A log that can run its entries knows the state at each moment. A file may have a few states only, of which
    /// the last one up to a moment stands for it.
    func knownMoment(upTo moment: Int) -> Int?

    /// A part of the state at a moment; nil where there is none.
    ///
    /// - Parameters:
    ///   - moment: The index of the moment; one outside means the nearest.
    ///   - path: Where the part is.
    ///   - first: The first element that is wanted of a list, or the first field of an object.
    ///   - limit: The most elements or fields that are wanted.
    /// - Returns: The part, with what lies a little below it.
    func state(at moment: Int, _ path: DataPath, from first: Int, limit: Int) -> StateNode?

    /// Where the states at two moments differ.
    ///
    /// - Complexity: O(size of the states).
    func changes(from old: Int, to new: Int, in path: DataPath, limit: Int) -> [StateChange]

    /// The value of a part of the state at a moment, whole; nil where there is none.
    ///
    /// - Complexity: O(size of the part).
    func value(at moment: Int, _ path: DataPath) -> DataValue?

    /// A part of the state at a moment as JSON with a line for each of its own parts; nil where there is none.
    ///
    /// - Parameters:
    ///   - moment: The index of the moment.
    ///   - path: Where the part is.
    ///   - limit: The most letters; an ellipsis stands for the rest.
    /// - Returns: The text.
    /// - Complexity: O(size of the part).
    func text(at moment: Int, _ path: DataPath, limit: Int) -> String?

    /// The parts of the state at a moment that have a text in their name or in their value, in any case.
    ///
    /// - Parameters:
    ///   - text: The text; nothing has an empty one.
    ///   - moment: The index of the moment.
    ///   - path: The part of the state that is searched.
    ///   - limit: The most parts.
    /// - Returns: Names of whatever has parts itself, and values of what has none, in the order of the state.
    /// - Complexity: O(size of the part).
    func find(_ text: String, at moment: Int, in path: DataPath, limit: Int) -> [StateNode]

    /// The life-lines of effects: when each began and ended, and which entries there were meanwhile.
    ///
    /// - Complexity: O(effects and entries that are recorded).
    func effects(_ query: EffectQuery) -> EffectPage

    /// The entries that changed where the user is, each with what it made of the route.
    ///
    /// Where a state says so are its stacks of routes, and those of its windows and tabs, in structs, optionals and enums, and
    /// in the first 32 elements of each collection. Of the question only its start and its limit count.
    ///
    /// - Complexity: O(entries that are looked at), at most ``EntryQuery/mostExamined``, each with the parts of its state.
    func routes(_ query: EntryQuery) -> EntryPage

    /// The source of a Swift Testing test that runs entries, and expects the states after them.
    ///
    /// - Parameters:
    ///   - start: The moment before the first entry.
    ///   - end: The moment after the last one.
    /// - Returns: A file of source.
    /// - Throws: ``InspectorError`` for states or actions that can't be written.
    /// - Complexity: O(entries × size of the state).
    func testSource(from start: Int, to end: Int) throws(InspectorError) -> String

    /// The source of a test that runs a shortest list of entries which still leads to a value, with values as simple as that
    /// allows.
    ///
    /// - Parameters:
    ///   - moment: The moment that has the value.
    ///   - path: The part of the state that is to be as it is then.
    /// - Returns: A file of source.
    /// - Throws: ``InspectorError`` where the entries can't be run, or the value was there from the beginning.
    /// - Complexity: At most 200,000 reduced actions, each with a part of the state encoded.
    func shortestTestSource(
        to moment: Int, keeping path: DataPath
    ) throws(InspectorError) -> String

    /// Asks questions that belong together.
    ///
    /// - Parameter questions: Asks them of the log that it is given, which is this one.
    /// - Returns: What it returns; nil where an answer is not there yet, as that of a store that lives elsewhere.
    func answering<Value>(_ questions: (any InspectedLog) -> Value) -> Value?
}

extension InspectedLog {
    /// No effects are known.
    public func effects(_ query: EffectQuery) -> EffectPage { EffectPage() }

    /// No routes are known.
    public func routes(_ query: EntryQuery) -> EntryPage { EntryPage() }

    /// The moment itself.
    public func knownMoment(upTo moment: Int) -> Int? { moment }

    /// The entries that changed what is at a path of the state, each with what it made of it.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - end: The moment up to which is looked; nil for the newest one.
    ///   - limit: The most entries.
    /// - Returns: The newest of them.
    public func changes(of path: DataPath, before end: Int? = nil, limit: Int = 100) -> EntryPage {
        var query = EntryQuery()
        query.path = path
        query.start = end.map { .before($0) } ?? .end
        query.limit = limit
        return entries(query)
    }

    /// Whatever is asked is answered at once.
    public func answering<Value>(_ questions: (any InspectedLog) -> Value) -> Value? {
        questions(self)
    }

    /// The whole part, written as far as there is room.
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

    /// There is no source where entries can't be run again.
    public func shortestTestSource(
        to moment: Int, keeping path: DataPath
    ) throws(InspectorError) -> String {
        throw InspectorError(
            .refused,
            "A shortest test takes the app's reducers and a Codable state, which are not here.")
    }

    /// There is no source where entries can't be run again.
    public func testSource(from start: Int, to end: Int) throws(InspectorError) -> String {
        throw InspectorError(
            .refused, "A test takes the app's reducers and actions, which are not here.")
    }
}

extension DataValue {
    /// Whether this is a value without parts that has a text in lower case letters.
    fileprivate func hasText(_ text: String) -> Bool {
        switch self {
        case .text(let own): own.lowercased().contains(text)
        case .list, .object: false
        default: preview(200).contains(text)
        }
    }
}
