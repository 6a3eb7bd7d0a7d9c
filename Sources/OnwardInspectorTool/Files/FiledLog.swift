// SPDX-License-Identifier: MIT
#if All

internal import Onward
internal import OnwardInspection
internal import OnwardInspector
internal import OnwardJournal
internal import OnwardLog

/// A log that was read from a file, without the types of the app.
///
/// Its entries can't be run, so it only knows the states in the file: of a Redux DevTools file
/// usually all, of a journal its snapshots, of a report the one at its beginning.
struct FiledLog: InspectedLog {
    /// An entry as the file has it.
    struct Entry: Sendable {
        var id: Int
        var name: String
        var payload: Payload
        var address = ""
        var time: Int64 = 0
        /// Without a line if it is unknown.
        var origin = ActionOrigin(file: "", line: 0)
        var version: UInt64?
    }

    /// The payload of an entry, or a state; bytes are decoded on access.
    enum Payload: Sendable {
        case known(DataValue)
        case encoded([UInt8])

        var value: DataValue {
            switch self {
            case .known(let value): value
            case .encoded(let bytes):
                LogFile.value(of: bytes)
                    ?? .text("\(bytes.count) bytes in a format of the app's own")
            }
        }
    }

    /// A state and its moment.
    struct State: Sendable {
        var moment: Int
        var state: Payload
    }

    private let staged: [Entry]
    private let states: [State]
    private let moments: [Int: Int]
    private let decoded = RecentStates()
    let skipped: Set<Int>
    /// The index of the moment that is shown.
    var cursor: Int

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - entries: The entries, in the order in which they ran; of two with the same id the last
    ///     one is found by it.
    ///   - states: The states that are known, by moment.
    ///   - skipped: The ids of those that didn't run.
    ///   - cursor: The moment that is shown; nil for the newest.
    init(_ entries: [Entry], states: [State], skipped: Set<Int> = [], cursor: Int? = nil) {
        staged = entries
        self.states = states.sorted { $0.moment < $1.moment }
        moments = Dictionary(entries.enumerated().map { ($1.id, $0 + 1) }) { $1 }
        self.skipped = skipped
        self.cursor = cursor ?? entries.count
    }

    var summary: LogSummary {
        var summary = LogSummary()
        summary.count = staged.count
        summary.cursor = cursor
        summary.shownID = cursor == 0 ? 0 : staged[cursor - 1].id
        summary.newestID = staged.last?.id ?? 0
        summary.skipped = skipped.count
        summary.limit = staged.count
        summary.taken = staged.count
        return summary
    }

    func moment(after id: Int) -> Int? { id == 0 ? 0 : moments[id] }

    func id(before moment: Int) -> Int? {
        guard (0...staged.count).contains(moment) else { return nil }
        return moment == 0 ? 0 : staged[moment - 1].id
    }

    func entry(_ id: Int) -> EntryDetail? {
        guard id != 0, let moment = moments[id] else { return nil }
        let payload = staged[moment - 1].payload.value
        var detail = EntryDetail()
        detail.line = line(at: moment - 1, payload)
        detail.payload = StateNode(payload, at: DataPath(), 0..<200, depth: 4)
        detail.version = staged[moment - 1].version
        return detail
    }

    private func line(at place: Int, _ payload: DataValue? = nil) -> EntryLine {
        let entry = staged[place]
        let payload = payload ?? entry.payload.value
        var line = EntryLine()
        line.id = entry.id
        line.moment = place + 1
        line.name = entry.name
        line.preview = payload == .null || payload == [:] ? "" : payload.preview(160)
        line.address = entry.address
        line.time = entry.time
        if place > 0, entry.time > 0, staged[place - 1].time > 0 {
            line.delta = entry.time - staged[place - 1].time
        }
        line.note(entry.origin)
        line.isSkipped = skipped.contains(entry.id)
        line.isAhead = place >= cursor
        return line
    }
}

// MARK: - States

extension FiledLog {
    func knownMoment(upTo moment: Int) -> Int? { known(upTo: moment).map { states[$0].moment } }

    /// The index of the last known state up to a moment.
    private func known(upTo moment: Int) -> Int? {
        var (begin, end) = (0, states.count)
        while begin < end {
            let middle = (begin + end) / 2
            if states[middle].moment <= moment { begin = middle + 1 } else { end = middle }
        }
        return begin == 0 ? nil : begin - 1
    }

    private func state(_ index: Int) -> DataValue {
        switch states[index].state {
        case .known(let value): value
        case .encoded: decoded.value(index) { states[index].state.value }
        }
    }

    func value(at moment: Int, _ path: DataPath) -> DataValue? {
        known(upTo: moment).flatMap { state($0).part(at: path) }
    }

    func state(
        at moment: Int, _ path: DataPath, from first: Int, limit: Int
    ) -> StateNode? {
        let range = StateNode.range(from: first, limit)
        return value(at: moment, path).map { StateNode($0, at: path, range, depth: 2) }
    }

    func changes(
        from old: Int, to new: Int, in path: DataPath, limit: Int
    ) -> [StateChange] {
        guard let one = known(upTo: old), let other = known(upTo: new), one != other else {
            return []
        }
        switch (state(one).part(at: path), state(other).part(at: path)) {
        case (nil, nil): return []
        case (let before?, let after?):
            return after.changes(from: before, at: path, limit: limit).map {
                StateChange(at: $0.path, from: $0.old, to: $0.new)
            }
        case (let before, let after): return [StateChange(at: path, from: before, to: after)]
        }
    }
}

// MARK: - Pages

extension FiledLog {
    func entries(_ query: EntryQuery) -> EntryPage {
        let paths = query.path.map { meant(by: $0) } ?? []
        return EntryPage(of: staged.count, by: query) { stretch in
            stretch.compactMap { place -> EntryLine? in
                let entry = staged[place]
                guard query.includes(type: entry.name) else { return nil }
                let step = query.hidesUnchanged || query.path != nil ? step(at: place) : nil
                if query.hidesUnchanged, step?.isChange == false { return nil }
                var line = line(at: place)
                line.isChange = step?.isChange
                if query.path != nil {
                    guard let step, let change = change(by: step, of: paths) else { return nil }
                    line.change = change
                    if states[step.old].moment < place {
                        line.since = id(before: states[step.old].moment)
                    }
                }
                return query.text.isEmpty || line.contains(query.text.lowercased()) ? line : nil
            }
        }
    }

    /// What is known before an entry and right after it.
    private struct Step {
        let old: Int
        let new: Int
        let isChange: Bool
    }

    /// Nil if the state right after an entry, or any state before it, is unknown.
    private func step(at place: Int) -> Step? {
        guard let new = known(upTo: place + 1), states[new].moment == place + 1, new > 0 else {
            return nil
        }
        return Step(old: new - 1, new: new, isChange: state(new) != state(new - 1))
    }

    /// The change of the first of some parts that changed.
    private func change(by step: Step, of paths: [DataPath]) -> StateChange? {
        guard step.isChange else { return nil }
        for path in paths {
            let (old, new) = (state(step.old).part(at: path), state(step.new).part(at: path))
            if old != new { return StateChange(at: path, from: old, to: new, limit: 160) }
        }
        return nil
    }

    /// The parts of the state that a path means, according to the first and the last known state.
    private func meant(by path: DataPath) -> [DataPath] {
        guard !states.isEmpty else { return [path] }
        let known = [state(states.count - 1), state(0)]
        let isThere = known.contains { $0.part(at: path.first) != nil }
        return isThere ? [path] : [path] + path.found(in: known)
    }
}

/// The states that were decoded last.
private final class RecentStates: Sendable {
    private static let limit = 8

    private let states = Guarded<[(index: Int, state: DataValue)]>([])

    func value(_ index: Int, _ decode: () -> DataValue) -> DataValue {
        if let known = states.withValue({ $0.first { $0.index == index } }) { return known.state }
        let state = decode()
        let gone = states.withValue { states in
            states.append((index, state))
            return states.count > Self.limit ? states.removeFirst().state : nil
        }
        withExtendedLifetime(gone) {}
        return state
    }
}
#endif
