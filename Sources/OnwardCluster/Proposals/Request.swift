// SPDX-License-Identifier: MIT

package import Onward
package import OnwardJournal

/// An action that a store is requested to accept.
package struct Request: Sendable, Hashable {
    /// Identifies the request: the same however often, and from wherever, it is sent.
    package let id: EntryID
    /// How far the log had been read when the request was first made: its entry comes after that.
    package let base: CommitVersion
    /// For what an effect proposes: the epoch in which the effect was started.
    package let epoch: UInt64?
    /// If set, the request is only for that state: no action may have come after this version.
    package let unchangedSince: CommitVersion?
    /// The requested action.
    package let action: ActionDraft

    package init(
        id: EntryID, base: CommitVersion, epoch: UInt64? = nil,
        unchangedSince: CommitVersion? = nil,
        action: ActionDraft
    ) {
        self.unchangedSince = unchangedSince
        self.id = id
        self.base = base
        self.epoch = epoch
        self.action = action
    }
}

extension EntryID {
    /// The id of the entry that a request produces when it is run in an epoch; if there are
    /// several, counted back from the last one.
    ///
    /// An id must imply everything before its entry. The same request may run twice, at the same
    /// version, if the first entry was lost: the epoch gives the second one another id.
    package func entry(in epoch: UInt64, beforeLast count: Int = 0) -> EntryID {
        EntryID(
            high: high ^ (UInt64(count) &* 0x9E37_79B9_7F4A_7C15),
            low: low ^ (epoch &* 0xD6E8_FEB8_6659_FD93))
    }

    /// The request that produced the entry with this id.
    package func request(in epoch: UInt64) -> EntryID { entry(in: epoch) }
}
