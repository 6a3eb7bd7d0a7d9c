// SPDX-License-Identifier: MIT

internal import Onward

/// Which version of the log each version of a replica's store shows.
///
/// The two count differently: an ownership entry commits nothing, and an installed state is a
/// commit without an entry. Between two of these they grow together, so only these are kept.
struct LogVersions: Sendable {
    private struct Run {
        let store: CommitVersion
        let log: CommitVersion
    }

    /// Readers ask about what they have just read.
    private static var limit: Int { 64 }
    private var runs = [Run(store: 0, log: 0)]

    /// Notes what the next version of the store will show; overwritten if that changes.
    mutating func note(_ log: CommitVersion, of store: CommitVersion) {
        while let last = runs.last, last.store >= store { runs.removeLast() }
        if runs.last != nil, self[store] == log { return }
        runs.append(Run(store: store, log: log))
        if runs.count > Self.limit { runs.removeFirst(Self.limit / 2) }
    }

    subscript(store: CommitVersion) -> CommitVersion {
        guard let run = runs.last(where: { $0.store <= store }) else { return 0 }
        return run.log + (store - run.store)
    }
}
