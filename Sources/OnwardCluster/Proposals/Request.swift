// SPDX-License-Identifier: MIT

package import Onward
package import OnwardJournal

/// An action that somebody wants a store to take.
package struct Request: Sendable, Hashable {
    /// Names the request: it is the same however often, and from wherever, it is sent.
    package let id: EntryID
    /// How far the log had been read where the request was made first: its entry can only stand behind that.
    package let base: Version
    /// Set for what an effect proposes: the epoch in which it was started.
    package let epoch: UInt64?
    /// Set where the request is for that state alone: no action may have come behind this version.
    package let unchangedSince: Version?
    /// What is wanted.
    package let action: ActionDraft

    package init(
        id: EntryID, base: Version, epoch: UInt64? = nil, unchangedSince: Version? = nil,
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
    /// The id of the entry that a request leaves when it is run in an epoch; where it leaves several, counted
    /// back from the last one.
    ///
    /// An id has to say everything about what stands before it. The same request may run twice, at the same
    /// version, where the first entry was lost: the epoch makes the second another one.
    package func entry(in epoch: UInt64, beforeLast count: Int = 0) -> EntryID {
        EntryID(
            high: high ^ (UInt64(count) &* 0x9E37_79B9_7F4A_7C15),
            low: low ^ (epoch &* 0xD6E8_FEB8_6659_FD93))
    }

    /// The request that left the entry with this id.
    package func request(in epoch: UInt64) -> EntryID { entry(in: epoch) }
}
