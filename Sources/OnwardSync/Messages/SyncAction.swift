// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal

/// An action as bytes, before it has a position in a log.
package struct SyncAction: Sendable, Hashable, Codable {
    /// The registered name of its type; for an enum, followed by "/" and the case.
    package var name: String
    /// The schema version of the type when it was written.
    package var schema: Int
    /// The payload, with the stamp.
    package var payload: [UInt8]
    /// The text of the address.
    package var address: String

    package init(name: String, schema: Int = 1, payload: [UInt8] = [], address: String = "") {
        self.name = name
        self.schema = schema
        self.payload = payload
        self.address = address
    }

    /// About how many bytes it takes in a message.
    var size: Int { name.utf8.count + payload.count + address.utf8.count + 64 }
}

extension SyncAction {
    /// The action of a journal's entry.
    init(_ entry: JournalEntry) {
        self.init(
            name: entry.name, schema: entry.schema, payload: entry.payload,
            address: entry.address == .root ? "" : entry.address.description)
    }

    /// The entry that a codec reads; nil if the address is none.
    func entry(at version: CommitVersion = 0) -> JournalEntry? {
        guard let address = address.isEmpty ? .root : Address(address) else { return nil }
        return JournalEntry(
            version: version, name: name, schema: schema, payload: payload, address: address)
    }
}
