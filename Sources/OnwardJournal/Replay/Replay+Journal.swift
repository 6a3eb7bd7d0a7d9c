// SPDX-License-Identifier: MIT

public import Onward

extension Replay {
    /// The state that a journal leads to: its newest snapshot, and the entries after it, run by a store's
    /// reducers.
    ///
    /// - Parameters:
    ///   - journal: The journal; others may append to it meanwhile.
    ///   - initial: The state before the first entry, for a journal without a snapshot.
    ///   - store: The store with the features; its own state is not touched.
    ///   - codec: How the journal is read.
    ///   - version: The last entry that the state includes; the journal's last one where that comes
    ///     earlier.
    ///   - progress: Called with the last entry that was run, and the last one that will be.
    /// - Returns: The state, and what there is to know about it. Instead of a snapshot that cannot be read,
    ///   an older one is used, or the entries from the first one on; the result says so.
    /// - Throws: ``JournalError/Code/unreadable`` for an entry with the policy
    ///   ``UnreadableEntryPolicy/fail``, or for a snapshot where entries are missing that it stands for;
    ///   ``JournalError/Code/truncated`` where entries are missing; what the journal throws.
    /// - Complexity: O(size of the state + entries behind the snapshot); memory for a page of entries, and for
    ///   the versions of installed states.
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
