// SPDX-License-Identifier: MIT

public import Onward

/// The times and bounds that a cluster observes.
public struct ClusterLimits: Sendable {
    /// How long a node may be silent before it is considered dead.
    public var silence = Duration.seconds(2)
    /// How long a node that lost a store waits before it takes that store back.
    public var rest = Duration.seconds(10)
    /// How often a node reads the journal without being asked to.
    public var look = Duration.seconds(1)
    /// How often a proposal is sent again while nobody answers.
    public var resend = Duration.milliseconds(300)
    /// The time within which a proposal is answered, one way or another.
    public var proposal = Duration.seconds(10)
    /// The time after which the outcome of an append or a read counts as unknown.
    public var patience = Duration.seconds(3)
    /// How often an owner marks acknowledgements in the log, for nodes that only reach the journal.
    public var mark = Duration.seconds(5)
    /// How many appends of a store may be in progress.
    package var pipeline = 4
    /// The maximum number of entries in an append, unless a single request produces more.
    public var batch = 256
    /// How many requests of a store may wait at its owner, and at each node.
    ///
    /// While this much durable work hasn't ended, an owner accepts no request that begins more.
    public var waiting = 1_000
    /// The number of entries whose ids are kept.
    public var window = 10_000
    /// How many entries are read at a time.
    public var page = 256
    /// How many entries that nobody has acknowledged a replica reads ahead.
    public var ahead = 10_000
    /// The number of entries after which a snapshot is stored.
    public var spacing: CommitVersion = 1_000

    /// Creates the limits for production use.
    public init() {}
}
