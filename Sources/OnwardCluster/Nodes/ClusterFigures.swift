// SPDX-License-Identifier: MIT

public import Onward

/// How a cluster node is doing, in numbers: for a status page, or to be collected as metrics.
///
/// Counts start when the node is made, and include stores that have been closed since.
public struct ClusterFigures: Sendable, Hashable {
    /// How many nodes seem to be alive, including this one; 0 until the table of nodes was reached.
    public internal(set) var nodes = 0
    /// How many stores are open on this node.
    public internal(set) var stores = 0
    /// How many of these stores this node owns.
    public internal(set) var owned = 0
    /// How many of these stores have a journal that can't be reached.
    public internal(set) var unreachable = 0
    /// How many acknowledged entries aren't shown yet, in the store that is furthest behind.
    public internal(set) var lag: CommitVersion = 0
    /// How many proposals wait for an answer.
    public internal(set) var waiting = 0
    /// How many proposals were accepted.
    public internal(set) var accepted: UInt64 = 0
    /// How many proposals were withheld by middlewares.
    public internal(set) var withheld: UInt64 = 0
    /// How many proposals weren't answered in time.
    public internal(set) var unanswered: UInt64 = 0
    /// How many proposals were refused, by the name of the case of ``ProposalRefusal``.
    public internal(set) var refused: [String: UInt64] = [:]
    /// How often a proposal was sent again because nobody had answered.
    public internal(set) var retries: UInt64 = 0
    /// How often this node lost a store, discarding what wasn't acknowledged.
    public internal(set) var losses: UInt64 = 0
}

extension ClusterFigures {
    /// Counts the outcome of a proposal.
    mutating func count(_ outcome: ProposalOutcome) {
        switch outcome {
        case .accepted: accepted += 1
        case .withheld: withheld += 1
        case .unanswered: unanswered += 1
        case .refused(let refusal): refused[refusal.name, default: 0] += 1
        }
    }
}

extension ProposalRefusal {
    /// The name of the case.
    fileprivate var name: String {
        switch self {
        case .expired: "expired"
        case .failedCheck: "failedCheck"
        case .forgotten: "forgotten"
        case .outdated: "outdated"
        case .overloaded: "overloaded"
        case .foreign: "foreign"
        case .unreadable: "unreadable"
        case .stopped: "stopped"
        }
    }
}
