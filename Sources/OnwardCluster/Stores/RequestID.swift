// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// Names a proposal: however often, and to whichever node, it is sent, it is done once.
///
/// Keep it until the proposal is answered, and propose with the same one again where it wasn't. As a text it
/// can stand in a hidden field of a form.
public struct RequestID: Sendable, Hashable, LosslessStringConvertible {
    /// The id, which is also what the ids of its entries are made of.
    public let id: EntryID
    /// How far the log had been read where the request was made: its entry can only stand behind that.
    public let since: Version

    /// The id of a request that is made where the log has been read up to a version.
    public init(id: EntryID = EntryID(), since: Version) {
        self.id = id
        self.since = since
    }

    /// Reads what ``description`` has written; nil for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = EntryID(parts[0]), let since = Version(parts[1]) else {
            return nil
        }
        self.init(id: id, since: since)
    }

    /// The id and the version, with a dash between them.
    public var description: String { "\(id)-\(since)" }
}
