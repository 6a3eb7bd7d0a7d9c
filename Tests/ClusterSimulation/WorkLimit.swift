// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal

/// What a log says of the limit of durable work.
///
/// An owner takes none while so much of it hasn't ended.
struct WorkLimit {
    /// How much hasn't ended at the beginning of the log, and behind each of its entries.
    private let counts: [Int]
    private let limit: Int

    init(_ limit: Int, in entries: [JournalEntry]) {
        self.limit = limit
        var unended: Set<EntryID> = []
        var counts = [0]
        for entry in entries {
            unended.subtract(Ownership(entry)?.ended ?? [])
            if entry.beginsWork { unended.insert(entry.id) }
            counts.append(unended.count)
        }
        self.counts = counts
    }

    /// Whether an owner that had read up to this version, or further, had to refuse work.
    ///
    /// What it decided on may not have been in the journal yet when it refused, so later versions
    /// count.
    func isReached(since version: CommitVersion) -> Bool {
        counts.dropFirst(Int(version)).contains { $0 >= limit }
    }

    /// The entries behind which work was begun though the limit was reached.
    func breaches(in entries: [JournalEntry]) -> [CommitVersion] {
        entries.indices.dropFirst().filter { index in
            // The entries of one request are taken together; they have the same payload.
            entries[index].beginsWork && counts[index] >= limit
                && entries[index].payload != entries[index - 1].payload
        }.map { entries[$0 - 1].version }
    }
}

extension JournalEntry {
    fileprivate var beginsWork: Bool {
        hasAction && SimulatedAction(payload)?.beginsWork == true
    }
}
