// SPDX-License-Identifier: MIT

public import Onward

/// A place in a journal: behind the entry with a version and an id.
///
/// The id says whether two writers mean the same entry: a version alone may stand for another one in a
/// journal whose end was lost.
public struct JournalPosition: Sendable, Hashable {
    /// The version of the entry before this place; 0 at the beginning.
    public let version: Version
    /// The id of that entry; ``EntryID/none`` at the beginning.
    public let id: EntryID

    /// A place, for journals that read theirs from somewhere.
    public init(version: Version, id: EntryID) {
        self.version = version
        self.id = id
    }

    /// Before the first entry.
    public static let start = JournalPosition(version: 0, id: .none)
}
