// SPDX-License-Identifier: MIT
#if SQLite

/// How a ``SQLiteJournal`` stores what is appended to it.
public struct SQLiteJournalOptions: Sendable {
    /// What an appended entry survives.
    public enum Durability: Sendable, Hashable {
        /// The end of the program, even by SIGKILL; a power failure may lose the last entries, but
        /// never ones in the middle.
        case written
        /// A power failure, too: each append waits until the disk confirms it.
        case synced
    }

    /// What an appended entry survives; ``Durability/written`` by default.
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
