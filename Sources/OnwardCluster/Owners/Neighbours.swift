// SPDX-License-Identifier: MIT

package import OnwardJournal

/// A guess at which nodes are alive, from their announcements.
///
/// Nothing depends on its being right: two nodes that both believe they own a store find out at the
/// journal. It compares no clocks. A node is silent if its announcement hasn't changed between
/// checks that far apart, so a node that couldn't check considers nobody dead.
package struct Neighbours: Sendable {
    private struct Sign {
        var announcement: NodeAnnouncement
        var seen: Duration
    }

    private let silence: Duration
    private var signs: [NodeID: Sign] = [:]
    private var lastLook = Duration.zero

    package init(silence: Duration) {
        self.silence = silence
    }

    /// Handles the announcements of all nodes.
    package mutating func look(at announcements: [NodeAnnouncement], now: Duration) {
        for announcement in announcements
        where signs[announcement.node]?.announcement != announcement {
            signs[announcement.node] = Sign(announcement: announcement, seen: now)
        }
        lastLook = max(lastLook, now)
    }

    /// Whether a node seems to be alive, and isn't leaving.
    package func isAlive(_ node: NodeID) -> Bool {
        signs[node].map(isAlive) ?? false
    }

    /// The nodes that seem to be alive.
    package var living: [NodeID] { signs.filter { isAlive($0.value) }.map(\.key) }

    /// The nodes that were ever seen, and whether they seem to be alive.
    var seen: [NodeID: Bool] { signs.mapValues(isAlive) }

    private func isAlive(_ sign: Sign) -> Bool {
        !sign.announcement.isLeaving && lastLook - sign.seen < silence
    }

    /// Who should own a store without a living owner, by an order that is the same on every node.
    ///
    /// - Parameters:
    ///   - store: The name of the store.
    ///   - fingerprint: The features of its last owner. Others take it only if no such node is
    ///     alive.
    ///   - resting: A node that doesn't count, because it has just lost the store.
    /// - Returns: The node; nil if there is none.
    package func heir(
        of store: String, with fingerprint: FeatureFingerprint?, without resting: NodeID?
    ) -> NodeID? {
        var first: (isForeign: Bool, rank: UInt64, node: NodeID)?
        for (node, sign) in signs where node != resting && isAlive(sign) {
            let isForeign = fingerprint.map { !sign.announcement.features.contains($0) } ?? false
            let candidate = (isForeign, node.rank(for: store), node)
            guard let best = first else {
                first = candidate
                continue
            }
            let isBefore =
                isForeign == best.isForeign ? candidate.1 < best.rank : best.isForeign
            if isBefore { first = candidate }
        }
        return first?.node
    }
}
