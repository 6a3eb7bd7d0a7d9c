// SPDX-License-Identifier: MIT

/// What a client keeps, in the order in which it happened.
package enum KeptRecord: Sendable, Hashable, Codable {
    /// An action was dispatched.
    case proposed(Proposal)
    /// Entries of the server's log came.
    case entries(log: UInt64, from: UInt64, items: [LoggedItem])
    /// Changes of the client's view came.
    case changes(
        log: UInt64, from: UInt64, version: UInt64, [SyncChange], decided: [DecidedRun])
    /// What was refused or replaced; it is no longer pending.
    case dropped([ProposalID])
}

/// What the machine of a client wants done.
package enum ClientStep: Sendable, Hashable {
    /// Keep a record after those before it.
    case keep(KeptRecord)
    /// Keep everything anew: a whole state has come.
    case keepState
    /// Send a message.
    case send(UpMessage)
    /// What the client shows is another state now.
    case show
    /// The server has decided.
    case report(ProposalID, SyncOutcome)

    /// Whether it reports that the server has refused something.
    var isRefusal: Bool {
        if case .report(_, .refused) = self { true } else { false }
    }
}
