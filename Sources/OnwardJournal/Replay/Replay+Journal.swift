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
    ///   used, or the entries from the first one on; the result reports this.
    /// - Throws: ``JournalError/Code/unreadable`` for an entry with the policy
    ///   ``UnreadableEntryPolicy/fail``, or for a snapshot that stands for missing entries;
    ///   ``JournalError/Code/truncated`` if entries are missing; what the journal throws.
    /// - Complexity: O(size of the state + entries after the snapshot); memory for a page of
    ///   entries, and for the versions of installed states.
    public static func state<State: Codable & Sendable>(
        of journal: some Journal, startingWith initial: State, by store: Store<State>,
        _ codec: JournalCodec<State>, at version: Version = .max,
        progress: @Sendable (Version, Version) -> Void = { _, _ in }
    ) async throws(JournalError) -> ReplayedState<State> {
        let last = min(version, try await journal.lastVersion())
        let quarantine = Quarantine(codec.whenUnreadable)
        let fold = JournalFold(
            journal: journal, initial: initial, store: store, codec: codec,
            whenUnreadable: quarantine.policy)
        let found = try await fold.state(at: last) { progress($0, last) }
        var change: FeatureChange?
        if let recorded = found.snapshot?.fingerprint, recorded != codec.fingerprint {
            change = FeatureChange(
                recorded: recorded, present: codec.fingerprint, first: found.first, last: last)
        }
        return ReplayedState(
            state: found.state, version: last, quarantined: quarantine.count,
            passedSnapshots: found.passed, featureChange: change)
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
