// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// Runs lists of entries to find out whether they lead to a fault.
protocol Trial {
    /// What a prefix of a list has led to, so that it need not be run again.
    associatedtype Prefix

    /// What the empty list leads to.
    var start: Prefix { get }

    /// What starting a run costs, in entries that could be run instead.
    var overhead: Int { get }

    /// Something that is equal for prefixes from which the same entries lead to the same; nil if
    /// finding out takes longer than running so many entries.
    mutating func mark(of prefix: Prefix, insteadOf entries: Int) -> DataValue?

    /// What a prefix and the entries after it lead to.
    func extended(_ prefix: Prefix, by entries: ArraySlice<LogEntry>) throws(ReportError) -> Prefix

    /// Whether a prefix and the entries after it lead to the fault.
    func fails(_ prefix: Prefix, _ rest: ArraySlice<LogEntry>) throws(ReportError) -> Bool

    /// How many entries come before and including the one after which the fault shows first; nil
    /// where it doesn't.
    func firstFailure(in entries: [LogEntry]) throws(ReportError) -> Int?
}

/// Makes a list of entries with a fault shorter and simpler: delta debugging (Zeller and
/// Hildebrandt, 2002).
///
/// Whole kinds of entries go first: all of an action, all of an address. Then parts are taken out,
/// halves first and single entries last, as long as the rest still leads to the fault. The part
/// before the one that is being tried is never run again, and what is left shrinks with each
/// success. So for *n* entries of which *k* are needed, about 20 *k* *n* entries are run at worst,
/// as a rule fewer; where all are needed, some *n* ^ 2.
///
/// Each method takes a list with the fault and returns one with it. Once the limit is reached they
/// return what they have so far.
struct Minimizer<T: Trial> {
    var trial: T
    /// The most entries that are run in all.
    ///
    /// A count and not a time, so the result is the same on each machine.
    let limit: Int
    let progress: (ShrinkProgress) -> Void
    /// How many entries the shortest list so far has.
    private var count = 0
    /// The effort at which progress is reported next, even if there is none.
    private var nextReport = 0
    /// Where to continue with a list of so many entries, of which no larger part can go.
    private var tried: (count: Int, size: Int)?
    /// How many numbers, texts and so on of first states may still be read, for simpler ones.
    private var leaves = 1_000_000
    /// How much effort simpler values may still take; nil until the first list was found.
    private var valueEffort: Int?
    /// How many lists were run.
    private(set) var runs = 0
    /// How many entries were run.
    private(set) var effort = 0
    /// How many of the runs made the list shorter or simpler.
    private(set) var successes = 0

    init(_ trial: T, limit: Int, progress: @escaping (ShrinkProgress) -> Void) {
        self.trial = trial
        self.limit = limit
        self.progress = progress
    }

    /// Whether the limit was reached, or the task cancelled, so the list may have entries that aren't
    /// needed.
    var isExhausted: Bool { effort >= limit || Task.isCancelled }

    /// Notes that a list is left.
    mutating func note(_ count: Int) {
        successes += 1
        self.count = count
        report()
    }

    private mutating func report() {
        nextReport = effort + 100_000
        progress(ShrinkProgress(entries: count, runs: runs, reduced: effort))
    }

    private mutating func spend(_ entries: Int) {
        effort += entries
        if effort >= nextReport, successes > 0 { report() }
    }

    private mutating func fails(
        _ prefix: T.Prefix, _ rest: ArraySlice<LogEntry>
    ) throws(ReportError) -> Bool {
        runs += 1
        spend(rest.count + trial.overhead)
        return try trial.fails(prefix, rest)
    }

    /// The list up to the entry after which the fault shows first; nil if it doesn't.
    mutating func cut(_ entries: [LogEntry]) throws(ReportError) -> [LogEntry]? {
        spend(entries.count + trial.overhead)
        guard let end = try trial.firstFailure(in: entries) else { return nil }
        if runs == 0 || end < entries.count { note(end) }
        return Array(entries[..<end])
    }

    /// The list without the kinds of entries that the fault doesn't need.
    ///
    /// - Parameters:
    ///   - entries: A list with the fault.
    ///   - kinds: The kinds that an entry belongs to, from wide to narrow; as many for each entry.
    /// - Returns: The list that is left.
    /// - Throws: What the trial throws.
    mutating func withoutKinds(
        _ entries: [LogEntry], _ kinds: (LogEntry) -> [String]
    ) throws(ReportError) -> [LogEntry] {
        guard entries.count > 16 else { return entries }
        let kinds = entries.map(kinds)
        var kept = Array(entries.indices)
        for level in kinds[0].indices {
            var counts: [String: Int] = [:]
            for index in kept { counts[kinds[index][level], default: 0] += 1 }
            let frequent = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(64)
            for (kind, _) in frequent where !isExhausted {
                let rest = kept.filter { kinds[$0][level] != kind }
                guard try fails(trial.start, rest.map { entries[$0] }[...]) else { continue }
                kept = rest
                note(kept.count)
            }
        }
        return kept.map { entries[$0] }
    }

    /// A list of which no single entry can be left out.
    ///
    /// - Parameters:
    ///   - entries: A list with the fault.
    ///   - most: How many entries are run at most, besides the limit for all.
    ///   - largest: The largest parts that are taken out.
    /// - Returns: The list that is left.
    /// - Throws: What the trial throws.
    mutating func withoutParts(
        _ entries: [LogEntry], atMost most: Int = .max, ofUpTo largest: Int = .max
    ) throws(ReportError) -> [LogEntry] {
        let end = min(limit, most < limit ? effort + most : limit)
        var left = entries
        var size = (left.count + 1) / 2
        if let tried, tried.count == left.count { size = tried.size }
        tried = nil
        size = min(size, largest)
        while size > 0, !left.isEmpty {
            let before = left.count
            var (kept, prefix) = ([LogEntry](), trial.start)
            var start = 0
            while start < left.count {
                guard effort < end else {
                    if kept.count == start, before == entries.count { tried = (before, size) }
                    return kept + left[start...]
                }
                let end = min(start + size, left.count)
                if try fails(prefix, left[end...]) {
                    note(kept.count + left.count - end)
                } else {
                    prefix = try trial.extended(prefix, by: left[start..<end])
                    kept += left[start..<end]
                }
                start = end
            }
            left = kept
            if size == 1 {
                // Single entries are tried again until none can go.
                size = left.count < before ? 1 : 0
            } else if left.count == entries.count, left.count > 500, size < left.count / 16 {
                // None of these parts can go, so it is likely that parts of them can't, either.
                size = 1
            } else {
                size = (size + 1) / 2
            }
        }
        return left
    }

    /// As many entries with simpler values.
    ///
    /// Values that several entries share become simpler in all of them at once, as an id has to;
    /// then each by itself.
    ///
    /// All calls together take a quarter of the effort that the first list took, or 300,000
    /// entries.
    ///
    /// - Parameters:
    ///   - entries: A list with the fault, of which no single entry can be left out.
    ///   - codec: Reads and writes the actions.
    /// - Returns: The list with what became simpler.
    /// - Throws: What the trial throws.
    mutating func simplest(
        of entries: [LogEntry], _ codec: ActionCodec
    ) throws(ReportError) -> [LogEntry] {
        var entries = entries
        let allowed = valueEffort ?? max(effort / 4, 300_000 * max(1, trial.overhead / 10))
        let begin = effort
        let end = min(limit, effort + allowed)
        defer { valueEffort = allowed - (effort - begin) }
        var records = entries.map { try? codec.record(of: $0.action) }
        for value in codec.shared(in: records) {
            var present = value
            _ = try value.simplest { simpler throws(ReportError) in
                guard effort < end,
                    let candidate = codec.replacing(present, by: simpler, in: entries, records),
                    try fails(trial.start, candidate.entries[...])
                else { return false }
                (entries, records) = candidate
                present = simpler
                note(entries.count)
                return true
            }
        }
        var prefix = trial.start
        for index in entries.indices {
            let rest = entries[(index + 1)...]
            // Without the entry there is no fault, so neither is there with one that does nothing.
            var outcomes: [DataValue: Bool] = [:]
            if let mark = trial.mark(of: prefix, insteadOf: rest.count) { outcomes[mark] = false }
            entries[index] = try codec.simplest(entries[index]) { candidate throws(ReportError) in
                guard effort < end else { return false }
                let next = try trial.extended(prefix, by: [candidate])
                let mark = trial.mark(of: next, insteadOf: rest.count)
                let known = mark.flatMap { outcomes[$0] }
                if known != nil { spend(1) }
                let isFault = if let known { known } else { try fails(next, rest) }
                if let mark { outcomes[mark] = isFault }
                if isFault { note(entries.count) }
                return isFault
            }
            prefix = try trial.extended(prefix, by: entries[index...index])
        }
        return entries
    }

    /// Makes the list shorter and its values simpler in turn, until neither changes anything.
    ///
    /// - Parameters:
    ///   - entries: A list with the fault.
    ///   - codec: Reads and writes the actions.
    ///   - simplify: Called after each pass; may change the trial, and notes that.
    /// - Returns: The list that is left.
    /// - Throws: What the trial throws.
    mutating func smallest(
        of entries: [LogEntry], _ codec: ActionCodec,
        _ simplify: (inout Self, [LogEntry]) throws(ReportError) -> Void = { _, _ in }
    ) throws(ReportError) -> [LogEntry] {
        var left = entries
        var isChanging = true
        var isFirst = true
        while isChanging {
            // Simpler values seldom make larger parts of a long list superfluous.
            left = try withoutParts(left, ofUpTo: isFirst || left.count < 500 ? .max : 1)
            isFirst = false
            let before = successes
            left = try simplest(of: left, codec)
            try simplify(&self, left)
            isChanging = successes > before
            left = try cut(left) ?? left
            if isExhausted { break }
        }
        return left
    }
}

extension Minimizer {
    /// Makes the state before the entries simpler, but not to one that has the fault itself.
    mutating func simplifyStart<State: Codable & Sendable>(
        before entries: [LogEntry]
    ) throws(ReportError) where T == FoldTrial<State> {
        guard let value = try? DataValue(encoding: trial.start) else { return }
        // What is read and encoded counts, so of large states fewer are tried.
        var rest = leaves
        defer { leaves = rest }
        _ = try value.simplest(unless: { rest <= 0 }) { candidate throws(ReportError) in
            if isExhausted { rest = 0 }
            guard rest > 0 else { return false }
            let size = candidate.leaves
            rest -= max(size, 50)
            spend(size)
            // What is read in another way is no simpler; it would be tried again for ever.
            guard let state = try? candidate.decoded(as: State.self),
                (try? DataValue(encoding: state)) == candidate, !trial.fault(state),
                try fails(state, entries[...])
            else { return false }
            trial.start = state
            note(entries.count)
            return true
        }
    }
}

/// The progress of a search for a shortest list of entries.
public struct ShrinkProgress: Sendable, Hashable, CustomStringConvertible {
    /// How many entries are left.
    public let entries: Int
    /// How many lists have been run so far.
    public let runs: Int
    /// About how many actions have been reduced so far, of those that the limit allows.
    public let reduced: Int

    /// The numbers in a sentence.
    public var description: String {
        "\(entries) entries left after \(runs) runs, \(reduced) actions reduced"
    }
}

/// Folds entries in this process, and looks at the state at the end.
struct FoldTrial<State: Sendable>: Trial {
    var start: State
    let store: Store<State>
    let fault: (State) -> Bool
    /// How many numbers, texts and so on the state had that was encoded last.
    private var leaves = 0

    init(start: State, store: Store<State>, fault: @escaping (State) -> Bool) {
        (self.start, self.store, self.fault) = (start, store, fault)
    }

    var overhead: Int { 10 }

    mutating func mark(of prefix: State, insteadOf entries: Int) -> DataValue? {
        // A state that has grown is encoded once more than is worth while.
        guard leaves * 16 <= entries, let prefix = prefix as? any Encodable,
            let value = try? DataValue(encoding: prefix)
        else { return nil }
        leaves = value.leaves
        return value
    }

    func extended(_ prefix: State, by entries: ArraySlice<LogEntry>) -> State {
        store.log.replay(entries, from: prefix)
    }

    func fails(_ prefix: State, _ rest: ArraySlice<LogEntry>) -> Bool {
        // A cancelled search keeps the best list so far.
        guard !Task.isCancelled else { return false }
        return fault(store.log.replay(rest, from: prefix))
    }

    func firstFailure(in entries: [LogEntry]) -> Int? {
        if fault(start) { return 0 }
        var state = start
        for index in entries.indices {
            // Nobody waits for what a cancelled search finds.
            guard !Task.isCancelled else { return nil }
            state = store.log.replay(entries[index...index], from: state)
            if fault(state) { return index + 1 }
        }
        return nil
    }
}

/// Folds entries in a child process, which dies of the fault.
struct ChildTrial: Trial {
    let run: (_ entries: [LogEntry]) throws(ReportError) -> Bool

    var start: [LogEntry] { [] }

    var overhead: Int { 10_000 }

    func mark(of prefix: [LogEntry], insteadOf entries: Int) -> DataValue? { nil }

    func extended(_ prefix: [LogEntry], by entries: ArraySlice<LogEntry>) -> [LogEntry] {
        prefix + entries
    }

    func fails(_ prefix: [LogEntry], _ rest: ArraySlice<LogEntry>) throws(ReportError) -> Bool {
        try run(prefix + rest)
    }

    /// A program that died does so for every list that begins like this one.
    func firstFailure(in entries: [LogEntry]) throws(ReportError) -> Int? {
        guard try run(entries) else { return nil }
        var (passing, failing) = (0, entries.count)
        if try run([]) { return 0 }
        while failing - passing > 1 {
            let middle = (passing + failing) / 2
            if try run(Array(entries[..<middle])) { failing = middle } else { passing = middle }
        }
        return failing
    }
}
