// SPDX-License-Identifier: MIT

public import Onward

/// A place in a journal: right after the entry with a version and an id.
///
/// The id reveals whether two writers mean the same entry: if a journal lost its end, the same
/// version may now belong to another entry.
public struct JournalPosition: Sendable, Hashable {
    /// The version of the entry before this place; 0 at the beginning.
    public let version: CommitVersion
    /// The id of that entry; ``EntryID/none`` at the beginning.
    public let id: EntryID

    /// Creates a position, for journals that read theirs from somewhere.
    public init(version: CommitVersion, id: EntryID) {
        self.version = version
        self.id = id
    }

    /// The position before the first entry.
    public static let start = JournalPosition(version: 0, id: .none)
}
