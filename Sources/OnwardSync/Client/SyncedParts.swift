// SPDX-License-Identifier: MIT

internal import Onward
public import OnwardJournal

/// What a client shows, in parts: what the server has confirmed, and what is pending.
///
/// For inspectors and reports: a session report of both is
/// `Report(from: parts.snapshot, parts.shownEntries)`, as what shows is the second folded over the first.
public struct SyncedParts<State: Codable & Sendable>: Sendable {
    /// An own action that the server has not decided, as far as is known.
    public struct Pending: Sendable, Identifiable {
        /// The id under which it is proposed.
        public let id: ProposalID
        /// The action, as it would follow what is confirmed and the other pending actions.
        public let entry: JournalEntry
        /// Whether a check refuses it on what others have done meanwhile, so that it doesn't show.
        public let isHidden: Bool
    }

    /// The confirmed state; local slices are as they show.
    public let confirmed: State
    /// The confirmed state in CBOR, with its version in the server's log.
    public let snapshot: JournalSnapshot
    /// What is pending, in the order in which it was dispatched.
    public let pending: [Pending]

    /// The entries of the pending actions that show, numbered from the confirmed version on.
    public var shownEntries: [JournalEntry] {
        pending.filter { !$0.isHidden }.enumerated().map { index, item in
            JournalEntry(
                version: snapshot.version + CommitVersion(index) + 1, name: item.entry.name,
                schema: item.entry.schema, payload: item.entry.payload, address: item.entry.address)
        }
    }
}
