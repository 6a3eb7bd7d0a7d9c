// SPDX-License-Identifier: MIT

internal import OnwardCore

/// What a selector computed and may be asked for again: a pure machine.
///
/// Problem: a reader of a store sees its newest version; the deliverer comes after, version by version.
/// With a memory of only one value, the two would throw each other's work away.
///
/// Strategy: an entry for each of the last different inputs, until deliveries are past it. At rest
/// there is one. For the last versions it is remembered which entry is theirs, so that a selector which
/// leads to this one in several ways looks at its inputs once.
struct SelectorMemo {
    struct Entry {
        let box: AnySelectorBox
        /// The number of the evaluation that made the value.
        var evaluation: UInt64
        /// The last version for which the value was asked.
        var version: CommitVersion
    }

    /// A version for which the value is known, by the evaluation that made it.
    private struct Check {
        let version: CommitVersion
        let evaluation: UInt64
    }

    /// How many entries, and versions that are known, there are at most, if deliveries stay behind.
    static var limit: Int { 8 }

    /// By version, oldest first.
    private(set) var entries: [Entry] = []
    /// In the order of the checks, the last one last.
    private var checks: [Check] = []
    private var lastEvaluation: UInt64 = 0

    /// The entry that is known to be right for a version; nil where the inputs have to be looked at.
    func index(for version: CommitVersion) -> Int? {
        guard let check = checks.last(where: { $0.version == version }) else { return nil }
        return entries.lastIndex { $0.evaluation == check.evaluation }
    }

    /// Notes that the value of the entry at `index` was asked for in `version`; returns its evaluation.
    mutating func use(_ index: Int, in version: CommitVersion) -> UInt64 {
        let evaluation = entries[index].evaluation
        note(Check(version: version, evaluation: evaluation))
        if entries[index].version < version {
            var entry = entries.remove(at: index)
            entry.version = version
            insert(entry)
        }
        return evaluation
    }

    /// Notes that the value of the entry at `index` was replaced; returns the number of the evaluation.
    mutating func renew(_ index: Int, in version: CommitVersion) -> UInt64 {
        lastEvaluation += 1
        entries[index].evaluation = lastEvaluation
        return use(index, in: version)
    }

    /// Adds a computed value; returns the number of the evaluation.
    mutating func add(_ box: AnySelectorBox, in version: CommitVersion) -> UInt64 {
        lastEvaluation += 1
        insert(Entry(box: box, evaluation: lastEvaluation, version: version))
        note(Check(version: version, evaluation: lastEvaluation))
        return lastEvaluation
    }

    /// Gives away what will not be asked for: entries before `horizon`, and the oldest beyond the
    /// limit.
    mutating func dropEntries(before horizon: CommitVersion) -> [Entry] {
        if let first = checks.first, first.version < horizon {
            checks.removeAll { $0.version < horizon }
        }
        var old = max(entries.count - Self.limit, 0)
        while old < entries.count, entries[old].version < horizon { old += 1 }
        guard old > 0 else { return [] }
        defer { entries.removeFirst(old) }
        return Array(entries.prefix(old))
    }

    private mutating func note(_ check: Check) {
        if checks.count == Self.limit { checks.removeFirst() }
        checks.append(check)
    }

    private mutating func insert(_ entry: Entry) {
        var place = entries.count
        while place > 0, entries[place - 1].version > entry.version { place -= 1 }
        entries.insert(entry, at: place)
    }
}

/// What is kept of a computed value and what it was computed from, without their types.
@usableFromInline
class AnySelectorBox: @unchecked Sendable {  // Belongs to the evaluating thread, as the memo does.
    @usableFromInline init() {}
}

/// What is kept of a computed value, often the value itself, and what it was computed from.
@usableFromInline
final class SelectorBox<Memory, Kept>: AnySelectorBox, @unchecked Sendable {  // As its superclass.
    @usableFromInline var memory: Memory
    @usableFromInline var kept: Kept

    @inlinable
    init(_ memory: Memory, _ kept: Kept) {
        self.memory = memory
        self.kept = kept
        super.init()
    }
}
