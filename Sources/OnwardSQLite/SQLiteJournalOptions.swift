// SPDX-License-Identifier: MIT
#if SQLite

/// How a ``SQLiteJournal`` keeps what is appended to it.
public struct SQLiteJournalOptions: Sendable {
    /// What an entry that was appended survives.
    public enum Durability: Sendable, Hashable {
        /// The end of the program, also by SIGKILL. A power failure may take the last entries, never ones
        /// in the middle.
        case written
        /// A power failure too: each append waits until the disk says that it is there.
        case synced
    }

    /// What an entry that was appended survives; ``Durability/written`` unless it is set.
    public var durability = Durability.written
    /// What payloads go through on their way to the file and back; nil for none.
    public var transform: PayloadTransform?
    /// Whether the last version is also kept in a second file beside the journal, its name with `-mark`
    /// behind it.
    ///
    /// Where the end of SQLite's log is damaged, SQLite stops reading there and says nothing. With a mark,
    /// opening such a journal throws `JournalError.Code.damaged`; without one it is a shorter
    /// journal.
    public var keepsMark = false

    /// The usual options.
    public init() {}
}
#endif
