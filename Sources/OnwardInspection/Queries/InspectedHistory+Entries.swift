// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

// Within a stretch of the log entries run forward, as that is the way to their states, whichever way the pages go.

extension InspectedHistory {
    /// A page of the entries that fit a question.
    public func entries(_ query: EntryQuery) -> EntryPage {
        EntryPage(of: log.staged.count, by: query) { matches(in: $0, query) }
    }

    /// The entries of a stretch that fit.
    private func matches(in stretch: Range<Int>, _ query: EntryQuery) -> [EntryLine] {
        var found: [EntryLine] = []
        var walk =
            query.needsStates || (query.isUnfiltered && Walk.canCompare)
            ? Walk(self, at: stretch.lowerBound, query.path) : nil
        let staged = log.staged
        for place in stretch {
            let step = walk?.next(staged[place])
            if query.hidesUnchanged, step?.isChange == false { continue }
            if query.path != nil, step?.change == nil { continue }
            if !query.types.isEmpty, !query.types.contains(staged[place].action.wireName) {
                continue
            }
            var line = line(at: place)
            if !query.text.isEmpty, !line.contains(query.text.lowercased()) { continue }
            line.isChange = step?.isChange
            line.change = step?.change
            found.append(line)
        }
        return found
    }

    /// Goes through a log, entry by entry, and says what each changed.
    private struct Walk {
        struct Step {
            var isChange: Bool
            var change: StateChange?
        }

        /// Whether states can be compared without encoding them.
        static var canCompare: Bool { State.self is any Equatable.Type }

        private let history: InspectedHistory
        private let path: DataPath?
        private var state: State
        /// What is at the path, or the whole state where it can't be compared.
        private var part: DataValue?

        init(_ history: InspectedHistory, at moment: Int, _ path: DataPath?) {
            self.history = history
            self.path = path
            var log = history.log
            state = log.state(at: moment)
            part = encoded()
        }

        mutating func next(_ entry: HistoryEntry) -> Step {
            guard !history.log.skipped.contains(entry.id) else { return Step(isChange: false) }
            let old = state
            state = history.log.replay([entry.replayed], old)
            if Self.canCompare, Self.areEqual(old, state) { return Step(isChange: false) }
            let before = part
            part = encoded()
            guard let path else { return Step(isChange: Self.canCompare || before != part) }
            guard before != part else { return Step(isChange: true) }
            return Step(
                isChange: true, change: StateChange(at: path, from: before, to: part, limit: 160))
        }

        private func encoded() -> DataValue? {
            if path == nil, Self.canCompare { return nil }
            let path = path ?? DataPath()
            return InspectedHistory.part(of: state, path, DataScope(path))
        }

        private static func areEqual(_ old: State, _ new: State) -> Bool {
            func compare<Value: Equatable>(_ old: Value) -> Bool { old == new as? Value }
            guard let old = old as? any Equatable else { return false }
            return compare(old)
        }
    }
}
