// SPDX-License-Identifier: MIT

public import Onward

/// The times and bounds that a cluster's machines keep to.
public struct ClusterLimits: Sendable {
    /// A node that hasn't announced itself for so long is taken for dead.
    public var silence = Duration.seconds(2)
    /// Who lost a store doesn't take it back for so long.
    public var rest = Duration.seconds(10)
    /// How often a node looks at the journal without being asked to.
    public var look = Duration.seconds(1)
    /// How often a proposal is sent while nobody answers.
    public var resend = Duration.milliseconds(300)
    /// A proposal is answered within this time, one way or another.
    public var proposal = Duration.seconds(10)
    /// The outcome of an append or a reading that takes longer is taken for unknown.
    public var patience = Duration.seconds(3)
    /// How often an owner marks in the log what is acknowledged, for nodes that reach the journal and not the owner.
    public var mark = Duration.seconds(5)
    /// How many appends of a store may be under way.
    package var pipeline = 4
    /// How many entries an append has at most, unless one request leaves more.
    public var batch = 256
    /// How many requests of a store may wait at its owner, and at each node.
    ///
    /// An owner takes none that begins durable work while so much of that hasn't ended.
    public var waiting = 1_000
    /// The ids of so many entries are kept.
    public var window = 10_000
    /// How many entries are read at a time.
    public var page = 256
    /// How many entries that nobody has acknowledged a replica reads ahead.
    public var ahead = 10_000
    /// After so many entries a snapshot is stored.
    public var spacing: Version = 1_000

    /// The limits of a program in use.
    public init() {}
}
