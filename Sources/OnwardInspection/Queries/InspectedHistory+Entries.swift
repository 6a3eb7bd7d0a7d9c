// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

// Within a stretch of the log entries run forward to compute states, whichever way pages go.

extension InspectedHistory {
    /// Returns a page of the entries that match a query.
    public func entries(_ query: EntryQuery) -> EntryPage {
        let paths = query.path.map { meant(by: $0) } ?? []
        let page = EntryPage(of: log.staged.count, by: query) { matches(in: $0, query, paths) }
        if page.examined > 0 { limits?.acceptPart() }
        return page
    }

    /// The parts of the state that a path means.
    private func meant(by path: DataPath) -> [DataPath] {
        var log = log
        let states = [log.state(at: log.staged.count), log.base]
        let (whole, first) = (DataPath(), path.first)
        let isThere = states.contains { state in
            Self.part(of: state, first, scope(first, depth: 1, window: 0..<1)) != nil
        }
        if isThere { return [path] }
        return [path]
            + path.found(in: states.compactMap { Self.part(of: $0, whole, scope(whole)) })
    }

    /// The matching entries of a stretch; nil if there was not enough time to find them.
    private func matches(
        in stretch: Range<Int>, _ query: EntryQuery, _ paths: [DataPath]
    ) -> [EntryLine]? {
        var found: [EntryLine] = []
        var walk =
            query.needsStates || (query.isUnfiltered && Walk.canCompare)
            ? Walk(self, at: stretch.lowerBound, paths) : nil
        let staged = log.staged
        for place in stretch {
            if limits?.isOver == true {
                // Whether entries without a filter changed something may stay unknown.
                guard query.isUnfiltered else { return nil }
                walk = nil
            }
            let step = walk?.next(staged[place])
            if query.hidesUnchanged, step?.isChange == false { continue }
            if query.path != nil, step?.change == nil { continue }
            guard query.includes(type: staged[place].action.wireName) else { continue }
            var line = line(at: place)
            if !query.text.isEmpty, !line.contains(query.text.lowercased()) { continue }
            line.isChange = step?.isChange
            line.change = step?.change
            found.append(line)
        }
        return found
    }

    /// Walks through a log, entry by entry, and determines what each changed.
    private struct Walk {
        struct Step {
            var isChange: Bool
            var change: StateChange?
        }

        /// Whether states can be compared without encoding them.
        static var canCompare: Bool { State.self is any Equatable.Type }

        private let history: InspectedHistory
        private let paths: [DataPath]
        private var state: State
        /// The values at the paths; without paths, the whole state if it can't be compared.
        private var parts: [DataValue?] = []

        init(_ history: InspectedHistory, at moment: Int, _ paths: [DataPath]) {
            self.history = history
            self.paths = paths
            var log = history.log
            state = log.state(at: moment)
            parts = encoded()
        }

        mutating func next(_ entry: HistoryEntry) -> Step {
            guard !history.log.skipped.contains(entry.id) else { return Step(isChange: false) }
            let old = state
            state = history.log.replay([entry.replayed], old)
            if Self.canCompare, Self.areEqual(old, state) { return Step(isChange: false) }
            let before = parts
            parts = encoded()
            guard !paths.isEmpty else { return Step(isChange: Self.canCompare || before != parts) }
            guard let index = paths.indices.first(where: { before[$0] != parts[$0] }) else {
                return Step(isChange: true)
            }
            return Step(
                isChange: true,
                change: StateChange(
                    at: paths[index], from: before[index], to: parts[index], limit: 160))
        }

        private func encoded() -> [DataValue?] {
            let paths = paths.isEmpty && !Self.canCompare ? [DataPath()] : paths
            return paths.map { InspectedHistory.part(of: state, $0, history.scope($0)) }
        }

        private static func areEqual(_ old: State, _ new: State) -> Bool {
            func compare<Value: Equatable>(_ old: Value) -> Bool { old == new as? Value }
            guard let old = old as? any Equatable else { return false }
            return compare(old)
        }
    }
}
