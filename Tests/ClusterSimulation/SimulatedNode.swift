// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal

typealias SimulatedMember = Member<SimulatedFeatures>

/// A program that takes part in the cluster; what it knows is gone when it crashes.
struct SimulatedNode {
    let id: NodeID
    /// Counts its runs: what was meant for an earlier one doesn't arrive.
    var run = 0
    var isUp = true
    /// Until then it does nothing, and what arrives waits.
    var pausedUntil = 0
    var isLeaving = false
    /// The failover up to which it follows the journal's servers.
    var server = 0
    /// Its clock runs so much faster than the others', and shows so much at the beginning.
    var clockRate: Double
    var clockStart: Int
    var features: SimulatedFeatures
    var neighbours: Neighbours
    var beats: UInt64 = 0
    /// For each store the index of the member, -1 where it isn't open.
    var indices: [Int]
    var members: [SimulatedMember] = []
    /// The store of each member.
    var stores: [Int] = []
    /// The version of each member's replica that readers saw last.
    var shown: [CommitVersion] = []
    /// The operations that wait for an answer of this run.
    var waiting: [EntryID: Int] = [:]
    /// The epochs whose effects are ended.
    var ended: Set<Epoch> = []

    struct Epoch: Hashable {
        let store: Int
        let number: UInt64
    }

    /// What the node's clock shows.
    func now(_ time: Int) -> Duration {
        .microseconds(clockStart + Int(clockRate * Double(time)))
    }
}

/// Something that arrives at a node.
enum Arrival {
    case tick
    case announcements([NodeAnnouncement])
    case entries(store: Int, [JournalEntry], from: CommitVersion)
    case missing(store: Int)
    case snapshot(store: Int, JournalSnapshot?)
    case finished(store: Int, UInt64, AppendOutcome)
    case message(store: Int, Message, from: NodeID)
    /// An effect is done, and proposes something.
    case effect(store: Int, JournalEntry)
    /// Durable work that was begun in an epoch is done.
    case work(store: Int, JournalEntry, epoch: UInt64)
}

/// Something that arrives at the journal.
enum Order {
    case announce(NodeAnnouncement)
    case read(store: Int, from: CommitVersion, limit: Int)
    case readSnapshot(store: Int)
    case append(store: Int, [JournalEntry], after: JournalPosition, number: UInt64)
    case store(store: Int, JournalSnapshot, at: JournalPosition)
}
