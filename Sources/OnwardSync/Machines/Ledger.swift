// SPDX-License-Identifier: MIT

/// What a server's log has decided of every run of a client: folded from its entries, so that a
/// server that starts again knows it.
package struct Ledger: Sendable, Hashable {
    private var runs: [ClientID: DecidedRun] = [:]

    package init() {}

    /// The number of runs.
    package var count: Int { runs.count }

    /// Everything, in no order.
    package var all: [DecidedRun] { Array(runs.values) }

    /// What is decided of a run; nil if nothing is.
    package subscript(client: ClientID) -> DecidedRun? { runs[client] }

    /// Notes what was kept.
    package mutating func restore(_ run: DecidedRun) { runs[run.client] = run }

    /// Notes that an entry of the log is a proposal; returns what was known of the run before.
    @discardableResult
    package mutating func note(_ id: ProposalID) -> DecidedRun? {
        let old = runs[id.client]
        guard let old else {
            runs[id.client] = DecidedRun(client: id.client, number: id.number, accepted: 1)
            return nil
        }
        guard id.number > old.number else { return old }
        let distance = id.number - old.number
        let kept = distance < 64 ? old.accepted << distance : 0
        runs[id.client] = DecidedRun(client: id.client, number: id.number, accepted: kept | 1)
        return old
    }
}
