// SPDX-License-Identifier: MIT

public import Onward

/// What a node knows of its cluster, as a state to show: its nodes, and how its stores are doing.
///
/// ```swift
/// let overview = node.watch()
/// inspector.attach(overview, as: "cluster")    // an Inspector of OnwardInspector
/// ```
public struct ClusterOverview: Codable, Sendable, Equatable {
    /// A program that has announced itself.
    public struct Node: Codable, Sendable, Equatable {
        /// Its name.
        public var name: String
        /// Whether it seems to be alive, and isn't leaving.
        public var isAlive: Bool
        /// How many of the stores open on the observing node it owns.
        public var owned: Int
    }

    /// A store that is open on the observing node.
    public struct OpenStore: Codable, Sendable, Equatable {
        /// Who owns it; nil if nobody ever did.
        public var owner: String?
        /// The owner's term.
        public var epoch: UInt64
        /// The version of the log that readers see.
        public var version: CommitVersion
        /// How many entries are known to be acknowledged but aren't shown yet.
        public var lag: CommitVersion
        /// How many proposals wait for an answer.
        public var waiting: Int
        /// How many proposals were refused here.
        public var refused: UInt64
        /// How often a proposal was sent again because nobody had answered.
        public var retries: UInt64
        /// How many entries have begun durable work that hasn't ended.
        public var unended: Int
        /// Why its journal can't be reached or folded; nil while all is well.
        public var failure: String?
    }

    /// The observing node.
    public var node: String
    /// The nodes that it has ever seen, sorted by name.
    public var nodes: [Node]
    /// Its stores, by name.
    public var stores: [String: OpenStore]
}

extension ClusterNode {
    /// What the node knows of its cluster now; may be read from any thread.
    ///
    /// - Complexity: O(nodes that were seen + stores that are open).
    public var overview: ClusterOverview {
        let stores = stores
        var owned: [NodeID: Int] = [:]
        for status in stores.values {
            if let owner = status.owner { owned[owner, default: 0] += 1 }
        }
        let nodes = surroundings.neighbours.seen.map { node, isAlive in
            ClusterOverview.Node(
                name: node.name, isAlive: isAlive, owned: owned[node, default: 0])
        }
        return ClusterOverview(
            node: id.name, nodes: nodes.sorted { $0.name < $1.name },
            stores: stores.mapValues { ClusterOverview.OpenStore($0) })
    }

    /// Returns a store that shows ``overview``, updated every second while someone keeps the store.
    ///
    /// It is a store like any other: build a page on it, or attach it to an inspector, which also
    /// shows its past.
    ///
    /// - Parameter options: The options of the store; its clock measures the seconds.
    /// - Returns: The store, which stops updating with its last reference.
    public func watch(options: StoreOptions = StoreOptions()) -> Store<ClusterOverview> {
        let store = Store(overview, options: options) {
            Reduce { (overview: inout ClusterOverview, look: OverviewLook) in
                overview = look.overview
            }
        }
        store.dispatch(id: "cluster overview") { [weak self] context in
            for await _ in context.clock.ticks(every: .seconds(1)) {
                guard let overview = self?.overview else { return }
                guard overview != context.current else { continue }
                context.dispatch(OverviewLook(overview: overview))
            }
        }
        return store
    }
}

/// Notes that something has changed since the last look.
private struct OverviewLook: Action, Codable {
    let overview: ClusterOverview
}

extension ClusterOverview.OpenStore {
    fileprivate init(_ status: ClusteredStoreStatus) {
        owner = status.owner?.name
        epoch = status.epoch
        version = status.version
        lag = status.lag
        waiting = status.waiting
        refused = status.refused
        retries = status.retries
        unended = status.unended
        if let failure = status.failure {
            self.failure = "\(failure)"
        } else if status.isJournalAway {
            failure = "The journal doesn't answer."
        } else if status.foreign != nil {
            failure = "Its owner has other features."
        }
    }
}
