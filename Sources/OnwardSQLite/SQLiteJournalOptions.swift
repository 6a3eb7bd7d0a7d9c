// SPDX-License-Identifier: MIT
#if SQLite

public import OnwardJournal

/// How a ``SQLiteJournal`` stores what is appended to it.
public struct SQLiteJournalOptions: Sendable {
    /// What an appended entry survives.
    ///
    /// By default it is written: a power failure may take the last entries, but never ones in the middle. With
    /// `.synced` each append waits until the disk confirms it.
    /// A file keeps no less than `.written`, which is what it does for `.memory`.
    public var durability = Durability.written
    /// The transform of payloads on their way to the file and back; nil for none.
    public var transform: PayloadTransform?
    /// Whether the last version is also kept in a second file next to the journal, with the suffix
    /// `-mark`.
    ///
    /// If the end of SQLite's log is damaged, SQLite silently stops reading there. With a mark,
    /// opening such a journal throws `JournalError.Code.damaged`; without one, it is a shorter
    /// journal.
    public var keepsMark = false

    /// Creates the usual options.
    public init() {}
}
#endif
