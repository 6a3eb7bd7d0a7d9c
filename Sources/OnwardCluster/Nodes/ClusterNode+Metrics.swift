// SPDX-License-Identifier: MIT
#if Server

public import Metrics

extension ClusterNode {
    /// Reports ``figures`` every second, until the task is cancelled.
    ///
    /// ```swift
    /// async let running: Void = node.run()
    /// async let reporting: Void = node.report()
    /// ```
    ///
    /// | name | kind | unit |
    /// |---|---|---|
    /// | `onward_cluster_nodes` | meter | nodes that seem to be there |
    /// | `onward_cluster_stores` | meter | stores that are open on this node |
    /// | `onward_cluster_owned_stores` | meter | stores that this node owns |
    /// | `onward_cluster_unreachable_stores` | meter | stores whose journal can't be reached |
    /// | `onward_cluster_lag` | meter | entries, in the store that is behind most |
    /// | `onward_cluster_waiting` | meter | proposals that wait for an answer |
    /// | `onward_cluster_proposals` | counter, by `outcome` | proposals: `accepted`, `withheld`, `unanswered`, `refused` |
    /// | `onward_cluster_refusals` | counter, by `reason` | proposals: `expired`, `forgotten`, `outdated`, `overloaded` … |
    /// | `onward_cluster_retries` | counter | proposals that were sent again |
    /// | `onward_cluster_losses` | counter | stores that another node took, or whose append failed |
    ///
    /// - Parameter metrics: Where the figures are reported.
    public func report(to metrics: any MetricsFactory = MetricsSystem.factory) async {
        var reported = ClusterFigures()
        while true {
            let figures = figures
            figures.report(since: reported, to: metrics)
            reported = figures
            guard (try? await surroundings.clock.sleep(for: .seconds(1))) != nil else { return }
        }
    }
}

extension ClusterFigures {
    fileprivate func report(since last: ClusterFigures, to metrics: any MetricsFactory) {
        func meter(_ name: String, _ value: Double) {
            Meter(label: "onward_cluster_\(name)", dimensions: [], factory: metrics).set(value)
        }
        func counter(_ name: String, _ dimensions: [(String, String)], _ count: UInt64) {
            guard count > 0 else { return }
            Counter(label: "onward_cluster_\(name)", dimensions: dimensions, factory: metrics)
                .increment(by: Int64(clamping: count))
        }
        meter("nodes", Double(nodes))
        meter("stores", Double(stores))
        meter("owned_stores", Double(owned))
        meter("unreachable_stores", Double(unreachable))
        meter("lag", Double(lag))
        meter("waiting", Double(waiting))
        for (outcome, count) in [
            ("accepted", accepted - last.accepted), ("withheld", withheld - last.withheld),
            ("unanswered", unanswered - last.unanswered),
        ] {
            counter("proposals", [("outcome", outcome)], count)
        }
        for (reason, count) in refused {
            let new = count - last.refused[reason, default: 0]
            counter("proposals", [("outcome", "refused")], new)
            counter("refusals", [("reason", reason)], new)
        }
        counter("retries", [], retries - last.retries)
        counter("losses", [], losses - last.losses)
    }
}
#endif
