// SPDX-License-Identifier: MIT

/// When each node showed how many lines of a store, of which the lag of its replicas is computed.
package struct Showings: Sendable {
    private struct Showing: Sendable {
        let count: Int
        let time: ContinuousClock.Instant
    }

    private var nodes: [[Showing]]

    /// Of so many nodes, none of which has shown anything.
    package init(nodes: Int) {
        self.nodes = Array(repeating: [], count: nodes)
    }

    /// Notes that a node shows so many lines; more than before.
    package mutating func note(_ count: Int, on node: Int, at time: ContinuousClock.Instant) {
        nodes[node].append(Showing(count: count, time: time))
    }

    /// How long after the owner each other node showed what the owner did, or more.
    ///
    /// What a node hasn't shown is left out.
    package func lags(behind owner: Int) -> [Duration] {
        var lags: [Duration] = []
        for node in nodes.indices where node != owner {
            var rest = nodes[node][...]
            for showing in nodes[owner] {
                rest = rest.drop { $0.count < showing.count }
                guard let first = rest.first else { break }
                lags.append(max(first.time - showing.time, .zero))
            }
        }
        return lags
    }
}
