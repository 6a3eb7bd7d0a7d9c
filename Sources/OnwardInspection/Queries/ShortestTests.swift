// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// Searches for shortest lists of a store's entries; keeps the last answer for redrawn pages.
final class ShortestTests<State: Sendable>: Sendable {
    /// What an answer is for.
    struct Key: Hashable, Sendable {
        let entry: Int
        let path: DataPath
        let revision: Int
        /// The first entry of the log: older ones may have become part of the base.
        let first: Int
    }

    /// A shortest list of entries, and the state before it.
    ///
    /// - Parameters:
    ///   - entries: The entries.
    ///   - state: The state before them.
    ///   - fault: Whether a state is as required.
    typealias Search =
        @Sendable (
            _ entries: [Entry], _ state: State, _ store: Store<State>, _ fault: (State) -> Bool
        ) throws -> (State, [Entry])

    private weak let store: Store<State>?
    private let search: Search
    private let last = Guarded<(key: Key, answer: Result<String, InspectorError>)?>(nil)

    init(_ store: Store<State>, _ search: @escaping Search) {
        self.store = store
        self.search = search
    }

    func list(
        _ entries: [Entry], _ state: State, where fault: (State) -> Bool
    ) throws -> (State, [Entry]) {
        guard let store else { throw InspectorError(.refused, "The store has ended.") }
        return try search(entries, state, store, fault)
    }

    /// The answer for a key, computed unless the same key was requested last.
    func source(
        for key: Key, _ compute: () throws(InspectorError) -> String
    ) throws(InspectorError) -> String {
        if let known = last.withValue({ $0 }), known.key == key { return try known.answer.get() }
        let answer = Result { () throws(InspectorError) in try compute() }
        last.withValue { $0 = (key, answer) }
        return try answer.get()
    }
}
