// SPDX-License-Identifier: MIT

package import Onward
package import OnwardJournal

/// What nodes send to each other.
///
/// Any message may be lost, delayed, duplicated or reordered.
package enum Message: Sendable, Hashable {
    /// A request, for the owner.
    case propose(Request)
    /// The outcome of a request of the receiver.
    case answer(EntryID, ProposalOutcome)
    /// The owner's appends are acknowledged up to here; includes the last of their entries, which
    /// come after a place, if they are small enough.
    case acknowledged(
        JournalPosition, entries: [JournalEntry] = [], after: JournalPosition = .start)
    /// Asks the owner up to where its appends are acknowledged.
    case ask

    /// Whether only an owner can handle it.
    var isForOwner: Bool {
        switch self {
        case .propose, .ask: true
        case .answer, .acknowledged: false
        }
    }
}

/// What a member wants done; its shell does it in this order, and reports the results.
package enum Step: Sendable, Hashable {
    /// Show readers the result of applying these entries to what they see.
    case show([JournalEntry])
    /// Show readers the replica's state, which can't be derived from what they see.
    case showState
    /// Read entries from a version on, for ``Member/read(_:from:now:)`` or ``Member/miss(now:)``.
    case read(from: CommitVersion, limit: Int)
    /// Read the newest snapshot, for ``Member/install(_:now:)``.
    case readSnapshot
    /// Append entries, and report the outcome to ``Member/finish(_:_:now:)``.
    case append([JournalEntry], after: JournalPosition, number: UInt64)
    /// Store a snapshot of what is acknowledged up to a place, and discard the entries before its
    /// version; the journal must have the entry at that place.
    case store(JournalSnapshot, at: JournalPosition)
    /// Send a message to a node.
    case send(Message, to: NodeID)
    /// Send a message to all other nodes.
    case broadcast(Message)
    /// Answer a request that came to this node.
    case answer(EntryID, ProposalOutcome)
    /// The node owns the store from now on, in an epoch: begin what the state keeps alive.
    case begin(epoch: UInt64)
    /// Start the effects of an entry that this node has decided, in an epoch.
    case start(JournalEntry)
    /// Begin the durable work of an entry in one of this node's epochs, possibly once more.
    ///
    /// Report its end to ``Member/endWork(of:epoch:now:)``.
    case beginWork(JournalEntry, epoch: UInt64)
    /// End the effects and the work begun in an epoch, and the effects that the state keeps alive.
    case end(epoch: UInt64)
    /// The journal that was read is that of an outdated server: connect to another one.
    case leaveServer
}

/// The outcome of an append.
package enum AppendOutcome: Sendable, Hashable {
    case acknowledged
    /// The journal ends elsewhere.
    case refused
    /// Nobody knows: the connection was lost, or the journal can't say.
    case unknown
}
