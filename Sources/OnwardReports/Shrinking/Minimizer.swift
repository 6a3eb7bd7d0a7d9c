// SPDX-License-Identifier: MIT

internal import Onward

/// Runs lists of entries to find out whether they lead to a fault.
protocol Trial {
    /// What a prefix of a list has led to, so that it need not be run again.
    associatedtype Prefix

    /// What the empty list leads to.
    var start: Prefix { get }

    /// What a prefix and the entries after it lead to.
    func extended(_ prefix: Prefix, by entries: ArraySlice<Entry>) throws(ReportError) -> Prefix

    /// Whether a prefix and the entries after it lead to the fault.
    func fails(_ prefix: Prefix, _ rest: ArraySlice<Entry>) throws(ReportError) -> Bool

    /// How many entries come before and including the one after which the fault shows first; nil where it doesn't.
    func firstFailure(in entries: [Entry]) throws(ReportError) -> Int?
}

/// Finds a shortest list of entries with a fault: delta debugging (Zeller and Hildebrandt, 2002).
///
/// Parts are taken out, halves first and single entries last, as long as the rest still leads to the fault. The
/// part before the one that is being tried is never run again, and what is left shrinks with each success. So for *n* entries of which *k* are
/// needed, about 20 *k* *n* entries are run at worst, as a rule fewer.
struct Minimizer<T: Trial> {
    let trial: T
    let progress: (ShrinkProgress) -> Void
    private(set) var runs = 0
    /// The most runs for values; a list is always minimized to the end.
    var limit = 20_000

    init(_ trial: T, progress: @escaping (ShrinkProgress) -> Void) {
        self.trial = trial
        self.progress = progress
    }

    private mutating func fails(
        _ prefix: T.Prefix, _ rest: ArraySlice<Entry>
    ) throws(ReportError) -> Bool {
        runs += 1
        return try trial.fails(prefix, rest)
    }

    /// A list of which no single entry can be left out; nil where the entries don't lead to the fault.
    mutating func shortest(of entries: [Entry]) throws(ReportError) -> [Entry]? {
        guard let end = try trial.firstFailure(in: entries) else { return nil }
        var left = Array(entries[..<end])
        progress(ShrinkProgress(entries: left.count, runs: runs))
        var size = (left.count + 1) / 2
        while size > 0, !left.isEmpty {
            let before = left.count
            var (kept, prefix) = ([Entry](), trial.start)
            var start = 0
            while start < left.count {
                let end = min(start + size, left.count)
                if try fails(prefix, left[end...]) {
                    progress(ShrinkProgress(entries: kept.count + left.count - end, runs: runs))
                } else {
                    prefix = try trial.extended(prefix, by: left[start..<end])
                    kept += left[start..<end]
                }
                start = end
            }
            left = kept
            // Single entries are tried again until none can go.
            size = size > 1 ? (size + 1) / 2 : left.count < before ? 1 : 0
        }
        return left
    }

    /// The same entries with simpler actions that still lead to the fault.
    ///
    /// - Parameters:
    ///   - entries: A list with the fault.
    ///   - simpler: What is a step simpler than an entry, the simplest first.
    /// - Returns: As many entries.
    /// - Throws: What the trial throws.
    mutating func simplest(
        of entries: [Entry], _ simpler: (Entry) -> [Entry]
    ) throws(ReportError) -> [Entry] {
        var entries = entries
        var prefix = trial.start
        for index in entries.indices {
            var isSimpler = true
            while isSimpler {
                isSimpler = false
                for candidate in simpler(entries[index]) where runs < limit {
                    if try fails(prefix, [candidate] + entries[(index + 1)...]) {
                        entries[index] = candidate
                        isSimpler = true
                        break
                    }
                }
            }
            prefix = try trial.extended(prefix, by: entries[index...index])
        }
        progress(ShrinkProgress(entries: entries.count, runs: runs))
        return entries
    }
}

/// How far a search for a shortest list of entries has come.
public struct ShrinkProgress: Sendable, Hashable, CustomStringConvertible {
    /// How many entries are left.
    public let entries: Int
    /// How many lists were run so far.
    public let runs: Int

    /// Both numbers in a sentence.
    public var description: String { "\(entries) entries left after \(runs) runs" }
}

/// Folds entries in this process, and looks at the state at the end.
struct FoldTrial<State: Sendable>: Trial {
    let start: State
    let store: Store<State>
    let fault: (State) -> Bool

    func extended(_ prefix: State, by entries: ArraySlice<Entry>) -> State {
        store.log.replay(entries, from: prefix)
    }

    func fails(_ prefix: State, _ rest: ArraySlice<Entry>) -> Bool {
        fault(store.log.replay(rest, from: prefix))
    }

    func firstFailure(in entries: [Entry]) -> Int? {
        if fault(start) { return 0 }
        var state = start
        for index in entries.indices {
            state = store.log.replay(entries[index...index], from: state)
            if fault(state) { return index + 1 }
        }
        return nil
    }
}

/// Folds entries in a child process, which dies of the fault.
struct ChildTrial: Trial {
    let run: (_ entries: [Entry]) throws(ReportError) -> Bool

    var start: [Entry] { [] }

    func extended(_ prefix: [Entry], by entries: ArraySlice<Entry>) -> [Entry] { prefix + entries }

    func fails(_ prefix: [Entry], _ rest: ArraySlice<Entry>) throws(ReportError) -> Bool {
        try run(prefix + rest)
    }

    /// A program that died does so for every list that begins like this one.
    func firstFailure(in entries: [Entry]) throws(ReportError) -> Int? {
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
