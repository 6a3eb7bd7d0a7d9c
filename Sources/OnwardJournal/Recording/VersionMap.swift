// SPDX-License-Identifier: MIT

internal import Onward

/// Maps the versions of a store's entries to positions in its journal.
///
/// Both usually increase by one, so runs are kept instead of entries. The oldest runs are
/// forgotten.
struct VersionMap: Sendable {
    /// Entries that follow one another in the store and in the journal.
    private struct Run {
        let store: CommitVersion
        let journal: CommitVersion
        var count: CommitVersion = 1
    }

    private static let limit = 1_024
    private var runs: [Run] = []

    /// Notes the position of an entry; entries come in order.
    mutating func note(_ store: CommitVersion, at journal: CommitVersion) {
        if let last = runs.last, store == last.store + last.count,
            journal == last.journal + last.count
        {
            runs[runs.count - 1].count += 1
            return
        }
        if runs.count == Self.limit { runs.removeFirst(Self.limit / 2) }
        runs.append(Run(store: store, journal: journal))
    }

    /// The position of an entry; nil if it was not recorded, such as a travel, or long ago.
    func place(of store: CommitVersion) -> CommitVersion? {
        guard let run = runs.last(where: { $0.store <= store }), store - run.store < run.count
        else { return nil }
        return run.journal + (store - run.store)
    }

    /// The position of the last entry up to a commit; nil if that was long ago.
    func last(upTo store: CommitVersion) -> CommitVersion? {
        runs.last(where: { $0.store <= store }).map { run in
            run.journal + min(store - run.store, run.count - 1)
        }
    }
}
