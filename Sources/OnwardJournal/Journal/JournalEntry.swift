// SPDX-License-Identifier: MIT

public import Onward

/// An entry of the log as a journal keeps it: everything about the commit, the action as bytes.
///
/// Only actions are kept. What a gate installs is not part of the log, so the versions of a
/// journal are its own: 1, 2, 3 … without gaps.
public struct JournalEntry: Sendable, Hashable {
    /// The position in the journal, from 1.
    public let version: Version
    /// The name of the action: its type's registered name, for an enum followed by "/" and the case.
    public let name: String
    /// The schema version that the action's type had when the entry was written.
    public let schema: Int
    /// The payload, in the format that the journal's codec says.
    public let payload: [UInt8]
    /// The instance that handled the action; empty for every instance.
    public let address: Address
    /// The position of the entry during whose delivery the action was dispatched; nil where there was
    /// none, or where it is not in this journal.
    public let parent: Version?
    /// Where in the source the action was dispatched.
    public let origin: Origin
    /// When the action was committed; nil where this was not asked for.
    public let time: Timestamp?

    /// An entry, for journals that read theirs from somewhere.
    public init(
        version: Version, name: String, schema: Int = 1, payload: [UInt8] = [],
        address: Address = .root, parent: Version? = nil, origin: Origin = Origin(),
        time: Timestamp? = nil
    ) {
        self.version = version
        self.name = name
        self.schema = schema
        self.payload = payload
        self.address = address
        self.parent = parent
        self.origin = origin
        self.time = time
    }

    /// The same entry at another position.
    public func moved(to version: Version, parent: Version?) -> JournalEntry {
        JournalEntry(
            version: version, name: name, schema: schema, payload: payload, address: address,
            parent: parent, origin: origin, time: time)
    }
}
