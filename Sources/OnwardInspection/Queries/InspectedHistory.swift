// SPDX-License-Identifier: MIT

internal import Onward
public import OnwardJournal

/// The log of a history, or one that was read from a file or a journal, for queries.
///
/// ```swift
/// let log = InspectedHistory(history.log, ActionCodec(for: store.log.actions))
/// let emptied = log.changes(of: "basket.items", limit: 1).entries.first
/// ```
public struct InspectedHistory<State: Sendable>: LimitedLog {
    /// The log; states computed for a query stay with it until the query is answered.
    private(set) var log: HistoryLog<State>
    /// The codec of the store's actions.
    let codec: ActionCodec
    /// Searches for shortest lists of entries; nil if the state can't be coded.
    let shortest: ShortestTests<State>?
    /// The store's effects; empty for a log without a store.
    let effects: RecordedEffects
    /// The limits of the answers; nil for none.
    private(set) var limits: QuestionLimits?

    /// Creates a log for queries.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - codec: The codec of the store's actions.
    public init(_ log: HistoryLog<State>, _ codec: ActionCodec) {
        self.init(log, codec, shortest: nil)
    }

    init(
        _ log: HistoryLog<State>, _ codec: ActionCodec, shortest: ShortestTests<State>?,
        effects: RecordedEffects = RecordedEffects()
    ) {
        self.log = log
        self.codec = codec
        self.shortest = shortest
        self.effects = effects
    }

    /// The length of the log, and what is shown.
    public var summary: LogSummary {
        let staged = log.staged
        var summary = LogSummary()
        summary.count = staged.count
        summary.cursor = log.cursor
        summary.shownID = log.cursor == 0 ? 0 : staged[log.cursor - 1].id
        summary.newestID = staged.last?.id ?? 0
        summary.skipped = log.skipped.count
        summary.isLocked = log.isLocked
        summary.isPaused = log.isPaused
        summary.limit = log.limit
        summary.taken = log.takenCount
        summary.revision = log.revision
        summary.keptBytes = log.keptBytes
        return summary
    }

    /// Returns the moment right after an entry; O(1) if ids are consecutive.
    public func moment(after id: Int) -> Int? {
        guard id > 0 else { return id == 0 ? 0 : nil }
        let staged = log.staged
        // Usually ids are consecutive.
        if let first = staged.first {
            let (guess, isOutside) = id.subtractingReportingOverflow(first.id)
            if !isOutside, staged.indices.contains(guess), staged[guess].id == id {
                return guess + 1
            }
        }
        return log.index(of: id)
    }

    /// Returns the entry right before a moment; O(1).
    public func id(before moment: Int) -> Int? {
        guard (0...log.staged.count).contains(moment) else { return nil }
        return moment == 0 ? 0 : log.staged[moment - 1].id
    }

    /// The state at a moment.
    func state(at moment: Int) -> State {
        var log = log
        return log.state(at: moment)
    }

    /// Returns the details of an entry.
    public func entry(_ id: Int) -> EntryDetail? {
        guard id != 0, let moment = moment(after: id) else { return nil }
        let entry = log.staged[moment - 1]
        let payload = self.payload(of: entry, scope(DataPath(), depth: 8, window: 0..<200))
        var detail = EntryDetail()
        detail.line = line(at: moment - 1, payload)
        detail.payload = StateNode(payload, at: DataPath(), 0..<200, depth: 4)
        detail.isReflected = !(entry.action is any Encodable)
        detail.version = entry.version
        return detail
    }

    /// Returns a part of the state at a moment.
    ///
    /// - Complexity: O(entries since the last state that the log keeps), plus what is encoded.
    public func state(
        at moment: Int, _ path: DataPath, from first: Int, limit: Int
    ) -> StateNode? {
        let range = StateNode.range(from: first, limit)
        return part(at: moment, path, scope(path, depth: 2, window: range)).map {
            StateNode($0, at: path, range, depth: 2, encoded: 2)
        }
    }

    /// Returns the complete value of a part of the state at a moment.
    public func value(at moment: Int, _ path: DataPath) -> DataValue? {
        part(at: moment, path, scope(path))
    }

    /// Returns where the states at two moments differ.
    public func changes(
        from old: Int, to new: Int, in path: DataPath, limit: Int
    ) -> [StateChange] {
        let (before, after) = (value(at: old, path), value(at: new, path))
        switch (before, after) {
        case (nil, nil): return []
        case (let before?, let after?):
            return after.changes(from: before, at: path, limit: limit).map {
                StateChange(at: $0.path, from: $0.old, to: $0.new)
            }
        default: return [StateChange(at: path, from: before, to: after)]
        }
    }

    /// Generates a test of at most 1,000 entries, leaving out skipped ones.
    public func testSource(from start: Int, to end: Int) throws(InspectorError) -> String {
        let staged = log.staged
        let first = min(max(start, 0), staged.count)
        let range = first..<max(first, min(end, staged.count))
        guard range.count <= Self.mostTested else {
            throw InspectorError(
                .invalid,
                "A test has at most \(Self.mostTested) entries, these are \(range.count). Choose a later start."
            )
        }
        do {
            var log = log
            var state = log.state(at: range.lowerBound)
            let entries = staged[range].filter { !log.skipped.contains($0.id) }.map(\.replayed)
            return try testSource(of: entries, from: &state)
        } catch {
            throw InspectorError(.invalid, "\(error)")
        }
    }

    func testSource(
        of entries: [LogEntry], from state: inout State
    ) throws(JournalError) -> String {
        var now = state
        defer { state = now }
        return try Replay.testSource(
            of: entries, from: try written(state), codec,
            named: "leads to the recorded states", making: "makeStore()"
        ) { entry throws(JournalError) in
            now = log.replay([entry], now)
            return try written(now)
        }
    }

    private static var mostTested: Int { 1_000 }

    private func written(_ state: State) throws(JournalError) -> DataValue {
        guard let encodable = state as? any Encodable else {
            throw JournalError(.invalid, "\(State.self) is not Codable, so no test can be written.")
        }
        do {
            return try DataValue(encodable, within: scope(DataPath()))
        } catch {
            throw JournalError(.invalid, "The state can't be encoded: \(error)")
        }
    }

    /// The log with limits for the answers to come.
    package func limited(by limits: QuestionLimits) -> InspectedHistory {
        var history = self
        history.limits = limits
        let replay = log.replay
        history.log = log.replaying { entries, state in
            var state = state
            for start in stride(from: 0, to: entries.count, by: 64) {
                guard !limits.isOver else { return state }
                state = replay(Array(entries[start..<min(start + 64, entries.count)]), state)
            }
            return state
        }
        return history
    }

    /// What is encoded of a state, within the limits.
    func scope(
        _ path: DataPath, depth: Int = .max, window: Range<Int> = 0..<Int.max
    ) -> DataScope {
        limits?.scope(path, depth: depth, window: window)
            ?? DataScope(path, depth: depth, window: window)
    }

    private func part(at moment: Int, _ path: DataPath, _ scope: DataScope) -> DataValue? {
        var log = log
        return Self.part(of: log.state(at: moment), path, scope)
    }

    /// A part of a state; if it can't be encoded, the error is shown instead.
    static func part(of state: State, _ path: DataPath, _ scope: DataScope) -> DataValue? {
        do {
            return try DataValue(state, within: scope).part(at: path)
        } catch {
            return .text("This can't be encoded: \(error)")
        }
    }
}

// MARK: - Entries

extension InspectedHistory {
    /// The summary of the entry at a position of the log.
    func line(at place: Int, _ payload: DataValue? = nil) -> EntryLine {
        let staged = log.staged
        let entry = staged[place]
        let payload =
            payload ?? self.payload(of: entry, scope(DataPath(), depth: 2, window: 0..<10))
        var line = EntryLine()
        line.id = entry.id
        line.moment = place + 1
        line.name = entry.action.wireName
        line.preview = payload == .null || payload == [:] ? "" : payload.preview(160)
        line.address = entry.address == .root ? "" : "\(entry.address)".visible
        line.time = entry.time?.nanosecondsSince1970 ?? 0
        line.delta = staged.nanoseconds(before: place) ?? 0
        line.note(entry.origin)
        line.isSkipped = log.skipped.contains(entry.id)
        line.isAhead = place >= log.cursor
        return line
    }

    /// What an action carries, without its name.
    private func payload(of entry: HistoryEntry, _ scope: DataScope) -> DataValue {
        guard entry.action is any Encodable else {
            let value = try? DataValue(entry.action, within: scope)
            if case .object(let fields)? = value, fields.count == 1,
                Mirror(reflecting: entry.action).displayStyle == .enum
            {
                return fields.first?.value ?? .null
            }
            if case .text? = value { return .null }
            return value ?? .null
        }
        do {
            return try codec.record(of: entry.action).payload
        } catch {
            return .text("\(error)")
        }
    }
}
