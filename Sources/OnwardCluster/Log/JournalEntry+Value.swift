// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// The entries of a cluster, as snapshots keep and messages carry them.
extension JournalEntry {
    var value: DataValue {
        [
            "version": DataValue(version), "id": .text(id.description),
            "kind": DataValue(kind.rawValue), "epoch": DataValue(epoch),
            "action": ActionDraft(self).value,
        ]
    }

    init?(_ value: DataValue) {
        guard let version = value["version"]?.integer(as: UInt64.self),
            let id = value["id"]?.text.flatMap({ EntryID($0) }),
            let kind = value["kind"]?.integer(as: UInt8.self).flatMap({ Kind(rawValue: $0) }),
            let epoch = value["epoch"]?.integer(as: UInt64.self),
            let action = value["action"].flatMap({ ActionDraft($0) })
        else { return nil }
        self.init(
            version: version, id: id, kind: kind, epoch: epoch, name: action.name,
            schema: action.schema, payload: action.payload, address: action.address,
            origin: action.origin)
    }
}
