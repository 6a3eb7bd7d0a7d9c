// SPDX-License-Identifier: MIT

package import OnwardJournal

/// A guess at which nodes live, from their announcements.
///
/// Nothing depends on its being right: two nodes that both believe they own a store find out at the journal. It
/// compares no clocks. A node is silent when its announcement hasn't changed between looks that lie that far
/// apart, so a node that couldn't look itself takes nobody for dead.
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

    /// Takes the announcements of all nodes.
    package mutating func look(at announcements: [NodeAnnouncement], now: Duration) {
        for announcement in announcements
        where signs[announcement.node]?.announcement != announcement {
            signs[announcement.node] = Sign(announcement: announcement, seen: now)
        }
        lastLook = max(lastLook, now)
    }

    /// Whether a node seems to be there, and to stay.
    package func isAlive(_ node: NodeID) -> Bool {
        signs[node].map(isAlive) ?? false
    }

    /// The nodes that seem to be there.
    package var living: [NodeID] { signs.filter { isAlive($0.value) }.map(\.key) }

    /// The nodes that were ever seen, and whether they seem to be there.
    var seen: [NodeID: Bool] { signs.mapValues(isAlive) }

    private func isAlive(_ sign: Sign) -> Bool {
        !sign.announcement.isLeaving && lastLook - sign.seen < silence
    }

    /// Who is to own a store that has no living owner: the first by an order that is the same on every node.
    ///
    /// - Parameters:
    ///   - store: The name of the store.
    ///   - fingerprint: The features of its last owner. Only where no such node lives do others take it.
    ///   - resting: A node that doesn't count, as it lost the store a moment ago.
    /// - Returns: The node; nil where none is there.
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
