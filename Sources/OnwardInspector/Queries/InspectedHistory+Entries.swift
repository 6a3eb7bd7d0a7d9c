// SPDX-License-Identifier: MIT
#if Inspector

internal import Onward
internal import OnwardJournal

// A page is found in stretches of the log, each longer than the one before, so that a page without filters costs what it
// shows. Within a stretch entries run forward, as that is the way to their states, whichever way the pages go.

extension InspectedHistory {
    /// A page of the entries that fit a question.
    public func entries(_ query: EntryQuery) -> EntryPage {
        let limit = min(max(query.limit, 1), EntryQuery.mostEntries)
        let count = log.staged.count
        var page = EntryPage()
        var length = limit
        switch query.start {
        case .end, .before:
            var end = count
            if case .before(let moment) = query.start { end = min(max(moment, 0), count) }
            if end < count { page.later = end }
            while end > 0, page.entries.count < limit, page.examined < EntryQuery.mostExamined {
                let stretch = max(0, end - length)..<end
                page.entries = matches(in: stretch, query) + page.entries
                page.examined += stretch.count
                end = stretch.lowerBound
                length = min(length * 2, 1_024)
            }
            page.entries.removeFirst(max(0, page.entries.count - limit))
            let isCut = page.entries.count == limit
            let first = isCut ? (page.entries.first?.moment ?? 1) - 1 : end
            page.earlier = first > 0 ? first : nil
        case .after(let moment):
            var start = min(max(moment, 0), count)
            page.earlier = start > 0 ? start : nil
            while start < count, page.entries.count < limit,
                page.examined < EntryQuery.mostExamined
            {
                let stretch = start..<min(count, start + length)
                page.entries += matches(in: stretch, query)
                page.examined += stretch.count
                start = stretch.upperBound
                length = min(length * 2, 1_024)
            }
            page.entries.removeLast(max(0, page.entries.count - limit))
            let isCut = page.entries.count == limit
            let last = isCut ? page.entries.last?.moment ?? count : start
            page.later = last < count ? last : nil
        }
        return page
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

extension EntryLine {
    /// Whether it says something, in lower case letters.
    fileprivate func contains(_ text: String) -> Bool {
        [name, preview, address, "\(file):\(line)"].contains { $0.lowercased().contains(text) }
    }
}
#endif
