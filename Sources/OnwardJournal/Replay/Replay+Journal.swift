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
    /// - Complexity: O(size of the state + entries behind the snapshot); memory for a page of entries.
    public static func state<State: Codable & Sendable>(
        of journal: some Journal, startingWith initial: State, by store: Store<State>,
        _ codec: JournalCodec<State>, at version: Version = .max,
        progress: @Sendable (Version, Version) -> Void = { _, _ in }
    ) async throws(JournalError) -> ReplayedState<State> {
        let last = min(version, try await journal.lastVersion())
        let (snapshot, start, passed) = try await newestState(of: journal, codec.states, at: last)
        var state = start ?? initial
        let first = (snapshot?.version ?? 0) + 1
        let quarantine = Quarantine(codec.whenUnreadable)
        var next = first
        while next <= last {
            let page: [JournalEntry]
            do {
                page = try await journal.entries(
                    from: next, limit: Int(min(last - next + 1, 1_024)))
            } catch  where error.code == .truncated {
                throw passed.first ?? error
            }
            guard let end = page.last, end.version >= next, end.version <= last else {
                throw JournalError(
                    .storage, version: next,
                    "The journal says that its last version is \(last), but has no entry \(next).")
            }
            var rest = page[...]
            if let install = page.lastIndex(where: { $0.kind == .install }) {
                state = try codec.states.decode(page[install], by: codec.fingerprint)
                rest = page[(install + 1)...]
            }
            let entries = try codec.actions.decode(rest, whenUnreadable: quarantine.policy)
            state = store.log.replay(entries, from: state)
            next = end.version + 1
            progress(end.version, last)
        }
        var change: FeatureChange?
        if let recorded = snapshot?.fingerprint, recorded != codec.fingerprint {
            change = FeatureChange(
                recorded: recorded, present: codec.fingerprint, first: first, last: last)
        }
        return ReplayedState(
            state: state, version: last, quarantined: quarantine.count, passedSnapshots: passed,
            featureChange: change)
    }

    /// The newest snapshot that can be read and its state, and why newer ones can't be.
    private static func newestState<State: Codable & Sendable>(
        of journal: some Journal, _ codec: StateCodec<State>, at version: Version
    ) async throws(JournalError) -> (JournalSnapshot?, State?, passed: [JournalError]) {
        var passed: [JournalError] = []
        var version = version
        while let snapshot = try await journal.snapshot(at: version) {
            do {
                return (snapshot, try codec.decode(snapshot), passed)
            } catch {
                passed.append(error)
            }
            // A journal that does not go back would never end.
            guard snapshot.version > 0, snapshot.version <= version else { break }
            version = snapshot.version - 1
        }
        return (nil, nil, passed)
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
