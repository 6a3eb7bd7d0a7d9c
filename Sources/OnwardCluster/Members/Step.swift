// SPDX-License-Identifier: MIT

package import Onward
package import OnwardJournal

/// What nodes say to each other.
///
/// Any message may be lost, late, doubled or overtaken.
package enum Message: Sendable, Hashable {
    /// A request, for the owner.
    case propose(Request)
    /// How a request of the receiver ends.
    case answer(EntryID, ProposalOutcome)
    /// The owner's appends are acknowledged up to here; with the last of their entries, which stand behind a place,
    /// where they are small enough.
    case acknowledged(
        JournalPosition, entries: [JournalEntry] = [], after: JournalPosition = .start)
    /// The question to the owner, up to where its appends are acknowledged.
    case ask

    /// Whether only an owner can do something with it.
    var isForOwner: Bool {
        switch self {
        case .propose, .ask: true
        case .answer, .acknowledged: false
        }
    }
}

/// What a member wants done; its shell does it in this order, and reports what it is to report.
package enum Step: Sendable, Hashable {
    /// Show readers what these entries make of what they see.
    case show([JournalEntry])
    /// Show readers the replica's state, which doesn't follow from what they see.
    case showState
    /// Read so many entries from a version on; ``Member/read(_:from:now:)`` or ``Member/miss(now:)`` takes them.
    case read(from: Version, limit: Int)
    /// Read the newest snapshot; ``Member/install(_:now:)`` takes it.
    case readSnapshot
    /// Append entries; ``Member/finish(_:_:now:)`` takes what became of it.
    case append([JournalEntry], after: JournalPosition, number: UInt64)
    /// Store a snapshot of what is acknowledged up to a place, and forget the entries before its version; the
    /// journal must have the entry of that place.
    case store(JournalSnapshot, at: JournalPosition)
    /// Send a message to a node.
    case send(Message, to: NodeID)
    /// Send a message to all other nodes.
    case broadcast(Message)
    /// Answer a request that came to this node.
    case answer(EntryID, ProposalOutcome)
    /// The node owns the store from here on, in an epoch: begin what the state keeps alive.
    case begin(epoch: UInt64)
    /// Start the effects of an entry that this node has decided, in an epoch.
    case start(JournalEntry)
    /// Begin the durable work of an entry in an epoch of this node's: for the first time, or again.
    ///
    /// ``Member/endWork(of:epoch:now:)`` takes that it has ended.
    case beginWork(JournalEntry, epoch: UInt64)
    /// End the effects and the work that were begun in an epoch, and those effects that the state keeps alive.
    case end(epoch: UInt64)
    /// The journal that was read is of a server that was left behind: connect to another one.
    case leaveServer
}

/// What became of an append.
package enum AppendOutcome: Sendable, Hashable {
    case acknowledged
    /// The journal ends elsewhere.
    case refused
    /// Nobody knows: the connection was lost, or the journal can't say.
    case unknown
}
