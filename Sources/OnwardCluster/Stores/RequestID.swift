// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// Identifies a proposal, which is done once however often and to whichever node it is sent.
///
/// Keep it until the proposal is answered, and propose with the same id again if it wasn't. As
/// text, it can be put in a hidden field of a form.
public struct RequestID: Sendable, Hashable, LosslessStringConvertible {
    /// The id, from which the ids of its entries are derived.
    public let id: EntryID
    /// How far the log had been read when the request was made: its entry can only come after that.
    public let since: CommitVersion

    /// Creates an id for a request made when the log has been read up to a version.
    public init(id: EntryID = EntryID(), since: CommitVersion) {
        self.id = id
        self.since = since
    }

    /// Parses what ``description`` returns; nil for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = EntryID(parts[0]), let since = CommitVersion(parts[1])
        else {
            return nil
        }
        self.init(id: id, since: since)
    }

    /// The id and the version, separated by a dash.
    public var description: String { "\(id)-\(since)" }
}
