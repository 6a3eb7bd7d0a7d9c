// SPDX-License-Identifier: MIT

public import OnwardJournal

/// What a node repeatedly announces where all nodes can read it.
public struct NodeAnnouncement: Sendable, Hashable, Codable {
    /// The node.
    public let node: NodeID
    /// A number that is different each time.
    public let beat: UInt64
    /// The features of the node's stores.
    public let features: Set<FeatureFingerprint>
    /// Whether the node is about to stop: others take its stores.
    public let isLeaving: Bool

    /// Creates an announcement, for tables that read theirs from somewhere.
    public init(
        node: NodeID, beat: UInt64, features: Set<FeatureFingerprint>, isLeaving: Bool = false
    ) {
        self.node = node
        self.beat = beat
        self.features = features
        self.isLeaving = isLeaving
    }
}
