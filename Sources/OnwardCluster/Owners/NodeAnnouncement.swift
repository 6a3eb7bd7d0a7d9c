// SPDX-License-Identifier: MIT

public import OnwardJournal

/// What a node says of itself, again and again, where all nodes can read it.
public struct NodeAnnouncement: Sendable, Hashable, Codable {
    /// The node.
    public let node: NodeID
    /// Another number each time.
    public let beat: UInt64
    /// The features of the stores that the node has.
    public let features: Set<FeatureFingerprint>
    /// Whether the node is about to stop: others take its stores.
    public let isLeaving: Bool

    /// An announcement, for tables that read theirs from somewhere.
    public init(
        node: NodeID, beat: UInt64, features: Set<FeatureFingerprint>, isLeaving: Bool = false
    ) {
        self.node = node
        self.beat = beat
        self.features = features
        self.isLeaving = isLeaving
    }
}
