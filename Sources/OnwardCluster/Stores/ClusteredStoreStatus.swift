// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// How a clustered store is doing on a node.
public struct ClusteredStoreStatus: Sendable, Hashable {
    /// Whether this node decides.
    public internal(set) var isOwning = false
    /// Who decides, as far as this node has read the log; nil if nobody ever did.
    public internal(set) var owner: NodeID?
    /// The owner's term.
    public internal(set) var epoch: UInt64 = 0
    /// The version of the log that readers see.
    public internal(set) var version: CommitVersion = 0
    /// Whether the replica has ever shown all that the journal had, or all that this node can fold.
    public internal(set) var hasCaughtUp = false
    /// Whether the journal's last call failed, or none was answered for ``ClusterLimits/patience``.
    public internal(set) var isJournalAway = false
    /// How many entries are known to be acknowledged but aren't shown yet.
    public internal(set) var lag: CommitVersion = 0
    /// How many proposals wait for an answer.
    public internal(set) var waiting = 0
    /// How many entries have begun durable work whose end isn't in the log; see ``Durable``.
    public internal(set) var unended = 0
    /// How many proposals were accepted here.
    public internal(set) var accepted: UInt64 = 0
    /// How many proposals were refused here.
    public internal(set) var refused: UInt64 = 0
    /// How many proposals weren't answered in time.
    public internal(set) var unanswered: UInt64 = 0
    /// How often a proposal was sent again because nobody had answered.
    public internal(set) var retries: UInt64 = 0
    /// How often this node lost the store, discarding what wasn't acknowledged.
    public internal(set) var losses: UInt64 = 0
    /// Why the journal's last call failed, or why the log can't be folded; nil while all is well.
    public internal(set) var failure: JournalError?
    /// The features of the store's owner, if they differ from this node's.
    public internal(set) var foreign: FeatureFingerprint?
}
