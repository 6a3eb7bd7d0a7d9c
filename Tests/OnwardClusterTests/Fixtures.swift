// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal

/// Features that list the names of all actions.
struct Names: ClusterFeatures {
    var fingerprint = FeatureFingerprint(rawValue: 1)
    let initial: [String] = []

    /// "a+b" becomes two actions, "" none.
    func decide(_ action: ActionDraft, on state: [String]) throws(JournalError) -> [ActionDraft] {
        if action.name == "garbage" { throw JournalError(.unreadable, "It is garbage.") }
        return action.name.split(separator: "+").map {
            ActionDraft(name: String($0), payload: action.payload)
        }
    }

    func beginsWork(_ action: ActionDraft) -> Bool { action.name.hasPrefix("mail") }

    func reduce(_ entry: JournalEntry, into state: inout [String]) throws(JournalError) {
        if entry.name == "unreadable" {
            throw JournalError(.unreadable, version: entry.version, "It can't be read.")
        }
        if entry.hasAction { state.append(entry.name) }
    }

    func value(of state: [String]) -> DataValue { .list(state.map { .text($0) }) }

    func state(of value: DataValue) throws(JournalError) -> [String] {
        (value.list ?? []).compactMap(\.text)
    }
}

let a = NodeID("a")
let b = NodeID("b")

/// An id with a number.
func id(_ number: UInt64) -> EntryID { EntryID(high: 7, low: number) }

/// The entry of an action, with the id that a request of its version leaves.
func entry(_ version: CommitVersion, _ name: String, epoch: UInt64 = 1) -> JournalEntry {
    JournalEntry(
        version: version, id: id(version).entry(in: epoch), epoch: epoch, name: name)
}

/// The entry with which a node owns a store.
func claim(
    _ version: CommitVersion, by node: NodeID, epoch: UInt64 = 1, features: UInt64 = 1,
    acknowledged: JournalPosition = .start, ended: [EntryID] = []
) -> JournalEntry {
    Ownership(
        node: node, epoch: epoch, fingerprint: FeatureFingerprint(rawValue: features),
        acknowledged: acknowledged, ended: ended
    ).entry(at: version, id: EntryID(high: 9, low: UInt64(version) << 8 | epoch))
}

/// A request for an action, made when the log was read up to a version.
func request(
    _ number: UInt64, _ name: String, since base: CommitVersion = 0, epoch: UInt64? = nil
) -> Request {
    Request(id: id(number), base: base, epoch: epoch, action: ActionDraft(name: name))
}

/// Neighbours of which all announced themselves at a time.
func neighbours(_ nodes: [NodeID], now: Duration = .zero) -> Neighbours {
    var neighbours = Neighbours(silence: .seconds(2))
    neighbours.look(at: nodes.map { announcement($0, 1) }, now: now)
    return neighbours
}

func announcement(
    _ node: NodeID, _ beat: UInt64, features: UInt64 = 1, isLeaving: Bool = false
) -> NodeAnnouncement {
    NodeAnnouncement(
        node: node, beat: beat, features: [FeatureFingerprint(rawValue: features)],
        isLeaving: isLeaving)
}
