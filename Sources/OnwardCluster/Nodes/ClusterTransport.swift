// SPDX-License-Identifier: MIT

internal import Onward

/// Brings messages from one node of a cluster to another one.
///
/// A message may be lost, late, doubled or overtaken: the cluster sends again what matters. So an
/// implementation needs no queue and no retry, only a limit of time.
public protocol ClusterTransport: Sendable {
    /// Has a message arrive at another node, whose program hands it to ``ClusterNode/receive(_:)``.
    ///
    /// Called for one message to a node at a time; what comes meanwhile is sent together with the next.
    func send(_ message: [UInt8], to node: NodeID) async
}

/// Nodes within one process: for tests.
public final class LocalTransport: ClusterTransport {
    private struct Place {
        weak var node: ClusterNode?
    }

    private let places = Guarded<[NodeID: Place]>([:])

    /// A network without nodes.
    public init() {}

    /// Has messages for a node arrive; the node isn't kept.
    public func connect(_ node: ClusterNode) {
        places.withValue { $0[node.id] = Place(node: node) }
    }

    /// Has messages for a node get lost.
    public func disconnect(_ node: NodeID) {
        places.withValue { $0[node] = nil }
    }

    /// Hands a message to a node; one that isn't connected doesn't get it.
    public func send(_ message: [UInt8], to node: NodeID) async {
        await places.withValue { $0[node]?.node }?.receive(message)
    }
}
