// SPDX-License-Identifier: MIT
#if Inspector

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
}

extension InspectedLog {
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
}
#endif
