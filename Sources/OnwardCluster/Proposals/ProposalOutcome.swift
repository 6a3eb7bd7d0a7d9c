// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// How a proposal ends.
public enum ProposalOutcome: Sendable, Hashable {
    /// It is acknowledged, and this node's replica has it; its last entry has this version.
    case accepted(Version)
    /// The middleware let nothing through, or no reducer took it.
    case withheld
    /// It has left no entry, or nobody can say whether it has.
    case refused(ProposalRefusal)
    /// The time limit has passed. It may still be accepted: the same request, proposed again, gets to know.
    case unanswered
}

/// Why a proposal is refused.
public enum ProposalRefusal: Sendable, Hashable {
    /// The effect that proposed it was started by an owner that is none any more.
    case expired
    /// It is older than the ids that are kept: it may have left an entry or not.
    case forgotten
    /// It was for a state without later actions, and there is one: its version, which this node's replica has.
    case outdated(Version)
    /// Too many requests wait already, or too much durable work hasn't ended.
    case overloaded
    /// The store is owned by nodes with other features.
    case foreign(FeatureFingerprint)
    /// The action can't be read, or this node can't fold the log.
    case unreadable
    /// The node has been stopped.
    case stopped
}
