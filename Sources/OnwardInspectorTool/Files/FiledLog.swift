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
/// usually all, of a journal its snapshots, of a report the one at its beginning, and digests of
/// others, which say what has changed.
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

    /// The digest of a state and its moment.
    struct Digest: Sendable {
        var moment: Int
        var digest: StateDigest
    }

    private let staged: [Entry]
    private let states: [State]
    private let digests: [Digest]
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
    ///   - digests: The digests of states, in order.
    ///   - skipped: The ids of those that didn't run.
    ///   - cursor: The moment that is shown; nil for the newest.
    init(
        _ entries: [Entry], states: [State], digests: [Digest] = [], skipped: Set<Int> = [],
        cursor: Int? = nil
    ) {
        staged = entries
        self.digests = digests
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
    private func known(upTo moment: Int) -> Int? { Self.last(of: states, \.moment, upTo: moment) }

    private static func last<Element>(
        of elements: [Element], _ place: (Element) -> Int, upTo moment: Int
    ) -> Int? {
        var (begin, end) = (0, elements.count)
        while begin < end {
            let middle = (begin + end) / 2
            if place(elements[middle]) <= moment { begin = middle + 1 } else { end = middle }
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
        if let changes = digestedChanges(from: old, to: new, in: path, limit: limit) {
            return changes
        }
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

// MARK: - Digests

extension FiledLog {
    /// How the states at two moments differ by the digests around them; nil if there are none, or if
    /// both states are known.
    private func digestedChanges(
        from old: Int, to new: Int, in path: DataPath, limit: Int
    ) -> [StateChange]? {
        if [old, new].allSatisfy({ knownMoment(upTo: $0) == $0 }) { return nil }
        guard let before = digests.last(where: { $0.moment <= min(old, new) }),
            let after = digests.first(where: { $0.moment >= max(old, new) })
        else { return nil }
        if old == new { return [] }
        let (from, to) = old < new ? (before, after) : (after, before)
        guard let part = change(of: path, from: from, to: to)?.path else { return [] }
        return to.digest.differences(from: from.digest).sorted().map { DataPath($0) }
            .filter { $0.steps.starts(with: part.steps) }.prefix(limit)
            .compactMap { change(of: $0, from: from, to: to) }
    }

    /// How a part, or the smallest one around it that has a hash, has changed between two digests.
    private func change(of path: DataPath, from old: Digest, to new: Digest) -> StateChange? {
        var steps = path.steps
        func hash(_ digest: Digest) -> UInt64? {
            digest.digest.hashes[steps.joined(separator: ".")]
        }
        while !steps.isEmpty, hash(old) == nil, hash(new) == nil { steps.removeLast() }
        guard hash(old) != hash(new) else { return nil }
        var change = StateChange(
            at: DataPath(steps), from: hash(old).map { _ in .null },
            to: hash(new).map { _ in .null })
        if hash(old) != nil { change.old = "one value after \(id(before: old.moment) ?? 0)" }
        if hash(new) != nil { change.new = "another after \(id(before: new.moment) ?? 0)" }
        return change
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
                    guard let step, step.isChange,
                        let change = paths.lazy.compactMap(step.change).first
                    else { return nil }
                    line.change = change
                    if step.since < place { line.since = id(before: step.since) }
                }
                return query.text.isEmpty || line.contains(query.text.lowercased()) ? line : nil
            }
        }
    }

    /// What is known of what an entry did, or one between the last known moment and it.
    private struct Step {
        /// The last moment before the entry of which something is known.
        let since: Int
        let isChange: Bool
        /// How a part has changed.
        let change: (DataPath) -> StateChange?
    }

    /// Nil if nothing is known of the state right after an entry, or of any state before it.
    private func step(at place: Int) -> Step? {
        if let new = known(upTo: place + 1), states[new].moment == place + 1, new > 0 {
            return Step(
                since: states[new - 1].moment, isChange: state(new) != state(new - 1)
            ) { path in
                let (old, new) = (state(new - 1).part(at: path), state(new).part(at: path))
                return old == new ? nil : StateChange(at: path, from: old, to: new, limit: 160)
            }
        }
        guard let new = Self.last(of: digests, \.moment, upTo: place + 1), new > 0,
            digests[new].moment == place + 1
        else { return nil }
        let (old, digest) = (digests[new - 1], digests[new])
        return Step(since: old.moment, isChange: old.digest != digest.digest) {
            change(of: $0, from: old, to: digest)
        }
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
