// SPDX-License-Identifier: MIT

package import Onward

/// Names a connection of a client, as long as it lasts.
package struct ConnectionID: Sendable, Hashable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// What the machine of a server wants done.
package enum ServerStep: Sendable, Hashable {
    /// Send a message.
    case send(DownMessage, to: ConnectionID)
    /// Encode the state that there is now for a connection, or what has changed since a version that its client
    /// has.
    case encodeState(for: ConnectionID, since: CommitVersion? = nil)
    /// End a connection: there are too many.
    case end(ConnectionID)
}

/// What a client gets that can't go on from entries.
package enum EncodedState: Sendable, Hashable {
    case state([UInt8], schema: Int)
    /// What has changed since a version.
    case changes([SyncChange], since: CommitVersion)
    /// What the client may see.
    case view([SyncChange])
}

/// What a store has made of a proposal.
package enum Decision: Sendable, Hashable {
    /// It is an entry of the store's log.
    case accepted
    /// It isn't, for good.
    case refused(SyncRefusal)
    /// It couldn't be decided: the store is ending.
    case unavailable
}

/// A commit of a server's store.
package struct LoggedEntry: Sendable, Hashable {
    /// What was done; nil for what can't be sent, such as an installed state.
    package var action: SyncAction?
    /// What a client has proposed; nil for what the server did by itself.
    package var proposal: ProposalID?
    /// What the reducers were given, if one asked.
    package var time: Timestamp?
    package var author: String?

    package init(
        action: SyncAction?, proposal: ProposalID? = nil, time: Timestamp? = nil,
        author: String? = nil
    ) {
        self.action = action
        self.proposal = proposal
        self.time = time
        self.author = author
    }
}
