// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// The outcome of a proposal.
public enum ProposalOutcome: Sendable, Hashable {
    /// It is acknowledged and in this node's replica; its last entry has this version.
    case accepted(CommitVersion)
    /// The middleware let nothing through, or no reducer handled it.
    case withheld
    /// It has produced no entry, or nobody can know whether it has.
    case refused(ProposalRefusal)
    /// The time limit has passed; propose the same request again to learn whether it is accepted.
    case unanswered
}

/// The reason for refusing a proposal.
public enum ProposalRefusal: Sendable, Hashable {
    /// The effect that proposed it was started by a former owner.
    case expired
    /// It is older than the ids that are kept: it may or may not have produced an entry.
    case forgotten
    /// It was for a state without later actions, but this node's replica has one: its version.
    case outdated(CommitVersion)
    /// Too many requests are waiting, or too much durable work hasn't ended.
    case overloaded
    /// The store is owned by nodes with other features.
    case foreign(FeatureFingerprint)
    /// The action can't be read, or this node can't fold the log.
    case unreadable
    /// A check of the features has refused it; nothing was changed.
    case failedCheck(FailedProposal)
    /// The node has been stopped.
    case stopped
}
