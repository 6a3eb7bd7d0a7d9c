// SPDX-License-Identifier: MIT

package import Onward
package import OnwardJournal

/// An entry of the log that names who decides from there on.
///
/// A node that wants a store appends one after the end that it has read; the journal accepts it
/// only after that end. The previous owner is refused at its next append, whatever the clocks say.
///
/// The owner repeats its entry now and then, in the same epoch, as a **mark**: it states up to
/// where appends are acknowledged. So a node that only reads the journal learns what it may show. A
/// mark also lists the durable work that has ended since the previous mark.
package struct Ownership: Sendable, Hashable {
    /// Who decides.
    package let node: NodeID
    /// The owner's term, higher than that of the previous owner.
    package let epoch: UInt64
    /// The features that the owner decides with.
    package let fingerprint: FeatureFingerprint
    /// Up to where the owner knew that appends were acknowledged.
    package let acknowledged: JournalPosition
    /// The entries whose durable work has ended.
    package let ended: [EntryID]

    package init(
        node: NodeID, epoch: UInt64, fingerprint: FeatureFingerprint,
        acknowledged: JournalPosition, ended: [EntryID] = []
    ) {
        self.ended = ended
        self.node = node
        self.epoch = epoch
        self.fingerprint = fingerprint
        self.acknowledged = acknowledged
    }

    /// Decodes an entry; nil for one of another kind, or one that can't be read.
    package init?(_ entry: JournalEntry) {
        guard entry.kind == .ownership, let value = try? DataFormat.cbor.value(of: entry.payload)
        else { return nil }
        self.init(value)
    }

    /// Encodes it as an entry.
    package func entry(at version: CommitVersion, id: EntryID) -> JournalEntry {
        JournalEntry(
            version: version, id: id, kind: .ownership, epoch: epoch, name: "onward/ownership",
            payload: DataFormat.cbor.bytes(of: value))
    }

    var value: DataValue {
        [
            "node": .text(node.name), "epoch": DataValue(epoch),
            "features": DataValue(fingerprint.rawValue),
            "version": DataValue(acknowledged.version), "id": .text(acknowledged.id.description),
            "ended": .list(ended.map { .text($0.description) }),
        ]
    }

    init?(_ value: DataValue) {
        guard let node = value["node"]?.text, let epoch = value["epoch"]?.integer(as: UInt64.self),
            let features = value["features"]?.integer(as: UInt64.self),
            let version = value["version"]?.integer(as: CommitVersion.self),
            let id = value["id"]?.text.flatMap({ EntryID($0) })
        else { return nil }
        self.init(
            node: NodeID(node), epoch: epoch,
            fingerprint: FeatureFingerprint(rawValue: features),
            acknowledged: JournalPosition(version: version, id: id),
            ended: (value["ended"]?.list ?? []).compactMap { $0.text.flatMap { EntryID($0) } })
    }
}
