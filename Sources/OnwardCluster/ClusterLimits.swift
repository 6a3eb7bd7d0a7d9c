// SPDX-License-Identifier: MIT

package import Onward

/// The times and bounds that a cluster's machines keep to.
package struct ClusterLimits: Sendable {
    /// A node that hasn't announced itself for so long is taken for dead.
    package var silence = Duration.seconds(2)
    /// Who lost a store doesn't take it back for so long.
    package var rest = Duration.seconds(10)
    /// How often a node looks at the journal without being asked to.
    package var look = Duration.milliseconds(500)
    /// How often a proposal is sent while nobody answers.
    package var resend = Duration.milliseconds(300)
    /// A proposal is answered within this time, one way or another.
    package var proposal = Duration.seconds(10)
    /// The outcome of an append or a reading that takes longer is taken for unknown.
    package var patience = Duration.seconds(3)
    /// How often an owner marks in the log what is acknowledged.
    package var mark = Duration.seconds(1)
    /// How many appends of a store may be under way.
    package var pipeline = 4
    /// How many entries an append has at most, unless one request leaves more.
    package var batch = 256
    /// How many requests of a store may wait at its owner, and at each node.
    package var waiting = 1_000
    /// The ids of so many entries are kept.
    package var window = 10_000
    /// How many entries are read at a time.
    package var page = 256
    /// How many entries that nobody has acknowledged a replica reads ahead.
    package var ahead = 10_000
    /// After so many entries a snapshot is stored.
    package var spacing: Version = 1_000

    package init() {}
}
