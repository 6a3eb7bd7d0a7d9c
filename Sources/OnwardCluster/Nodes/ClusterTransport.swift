// SPDX-License-Identifier: MIT

internal import Onward

/// Delivers messages from one node of a cluster to another.
///
/// A message may be lost, delayed, duplicated or reordered: the cluster resends what matters. So an
/// implementation needs no queue and no retries, only a time limit.
public protocol ClusterTransport: Sendable {
    /// Delivers a message to another node, whose program passes it to ``ClusterNode/receive(_:)``.
    ///
    /// Called for one message to a node at a time; what comes in the meantime is sent together with
    /// the next.
    func send(_ message: [UInt8], to node: NodeID) async
}

/// A transport between nodes within one process: for tests.
public final class LocalTransport: ClusterTransport {
    private struct Place {
        weak var node: ClusterNode?
    }

    private let places = Guarded<[NodeID: Place]>([:])

    /// Creates a network without nodes.
    public init() {}

    /// Starts delivering messages to a node, without keeping the node alive.
    public func connect(_ node: ClusterNode) {
        places.withValue { $0[node.id] = Place(node: node) }
    }

    /// Starts losing the messages to a node.
    public func disconnect(_ node: NodeID) {
        places.withValue { $0[node] = nil }
    }

    /// Delivers a message to a node, unless it isn't connected.
    public func send(_ message: [UInt8], to node: NodeID) async {
        await places.withValue { $0[node]?.node }?.receive(message)
    }
}
