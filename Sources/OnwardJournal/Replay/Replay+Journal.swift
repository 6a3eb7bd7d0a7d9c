// SPDX-License-Identifier: MIT

public import Onward

extension Replay {
    /// Computes the state that a journal leads to: its newest snapshot with the entries after it,
    /// run through a store's reducers.
    ///
    /// - Parameters:
    ///   - journal: The journal; others may append to it in the meantime.
    ///   - initial: The state before the first entry, for a journal without a snapshot.
    ///   - store: The store with the features; its own state is not touched.
    ///   - codec: How the journal is read.
    ///   - version: The last entry that the state includes; the journal's last one if that comes
    ///     earlier.
    ///   - progress: Called with the last entry that was run, and the last one that will be run.
    /// - Returns: The state, and how it was computed. If a snapshot cannot be read, an older one is
    ///   used, or the entries from the first one on; the result reports this. So it is if other
    ///   reducers made the snapshot, which is found out by running the entries before it; see
    ///   ``FeatureChange``. If somebody truncates the journal meanwhile, reading begins again.
    /// - Throws: ``JournalError/Code/unreadable`` for an entry with the policy
    ///   ``UnreadableEntryPolicy/fail``, or for a snapshot that stands for missing entries;
    ///   ``JournalError/Code/truncated`` if entries are missing; what the journal throws.
    /// - Complexity: O(size of the state + entries after the snapshot before the newest one), O(all
    ///   entries) if other reducers made it; memory for a page of entries, and for the versions of
    ///   installed states.
    public static func state<State: Codable & Sendable>(
        of journal: some ReadableJournal, startingWith initial: State, by store: Store<State>,
        _ codec: JournalCodec<State>, at version: CommitVersion = .max,
        progress: @Sendable (CommitVersion, CommitVersion) -> Void = { _, _ in }
    ) async throws(JournalError) -> ReplayedState<State> {
        try await state(
            of: journal, startingWith: initial, by: store, codec, at: version,
            trustingSnapshots: false, progress: progress)
    }

    /// Computes the state that a journal leads to, perhaps from the newest snapshot, whoever made it.
    package static func state<State: Codable & Sendable>(
        of journal: some ReadableJournal, startingWith initial: State, by store: Store<State>,
        _ codec: JournalCodec<State>, at version: CommitVersion = .max,
        trustingSnapshots trusts: Bool,
        progress: @Sendable (CommitVersion, CommitVersion) -> Void = { _, _ in }
    ) async throws(JournalError) -> ReplayedState<State> {
        try await state(
            of: journal, startingWith: initial, by: store, codec, at: version,
            trustingSnapshots: trusts, marking: nil, progress: progress)
    }

    /// Computes the state that a journal leads to, and notes which entry is run.
    static func state<State: Codable & Sendable>(
        of journal: some ReadableJournal, startingWith initial: State, by store: Store<State>,
        _ codec: JournalCodec<State>, at version: CommitVersion = .max,
        trustingSnapshots trusts: Bool = false, marking mark: ReplayMark?,
        begins: (@Sendable (CommitVersion) -> Void)? = nil,
        progress: @Sendable (CommitVersion, CommitVersion) -> Void = { _, _ in }
    ) async throws(JournalError) -> ReplayedState<State> {
        mark?.begin()
        var first = try await journal.firstVersion()
        // A writer that truncates for ever may be faster than this.
        for _ in 0..<100 {
            do {
                return try await stateAtOnce(
                    of: journal, startingWith: initial, by: store, codec, at: version, trusts,
                    mark, begins, progress: progress)
            } catch {
                let present = try await journal.firstVersion()
                guard present > first else { throw error }
                first = present
            }
        }
        return try await stateAtOnce(
            of: journal, startingWith: initial, by: store, codec, at: version, trusts,
            mark, begins, progress: progress)
    }

    private static func stateAtOnce<State: Codable & Sendable>(
        of journal: some ReadableJournal, startingWith initial: State, by store: Store<State>,
        _ codec: JournalCodec<State>, at version: CommitVersion, _ trusts: Bool,
        _ mark: ReplayMark?, _ begins: (@Sendable (CommitVersion) -> Void)?,
        progress: @Sendable (CommitVersion, CommitVersion) -> Void
    ) async throws(JournalError) -> ReplayedState<State> {
        let last = min(version, try await journal.lastVersion())
        let quarantine = Quarantine(codec.whenUnreadable)
        let fold = JournalFold(
            journal: journal, initial: initial, store: store, codec: codec,
            whenUnreadable: quarantine.policy, trustsSnapshots: trusts, mark: mark,
            begins: begins)
        let found = try await fold.state(at: last) { progress($0, last) }
        var change: FeatureChange?
        if let snapshot = found.snapshot, let found = found.change(codec.fingerprint) {
            change = FeatureChange(
                recorded: found.recorded, present: codec.fingerprint, outcome: found.outcome,
                snapshot: snapshot.version, first: found.first, last: last)
        }
        return ReplayedState(
            state: found.state, version: last, quarantined: quarantine.count,
            passedSnapshots: found.passed, featureChange: change)
    }
}

extension JournalFold.Found {
    /// The features that made the snapshot, if others did, and what became of it.
    fileprivate func change(
        _ present: FeatureFingerprint
    ) -> (recorded: FeatureFingerprint, outcome: FeatureChange.Outcome, first: CommitVersion)? {
        switch origin {
        case .confirmed(let recorded): return (recorded, .same, first)
        case .replaced(let recorded, let first): return (recorded, .replayed, first)
        case .kept(let recorded): return (recorded, .mixed, first)
        case .same:
            // A state before the first entry was made by no reducers.
            guard let recorded = snapshot?.fingerprint, recorded != present else { return nil }
            return (recorded, .replayed, first)
        }
    }
}

/// Counts what is left out.
private final class Quarantine: Sendable {
    private let counted = Guarded(0)
    private let inner: UnreadableEntryPolicy

    init(_ policy: UnreadableEntryPolicy) { inner = policy }

    var count: Int { counted.withValue { $0 } }

    var policy: UnreadableEntryPolicy {
        guard case .quarantine(let report) = inner else { return .fail }
        return .quarantine { entry in
            self.counted.withValue { $0 += 1 }
            report(entry)
        }
    }
}
