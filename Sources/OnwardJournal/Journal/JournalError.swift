// SPDX-License-Identifier: MIT

public import Onward

/// An operational error of a journal, or of what is read from one.
public struct JournalError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case conflict, truncated, closed, unreadable, invalid, storage, overflow
            case damaged, full, locked, unwritable, foreign, newer, clock, gone, fatal
        }
        private let kind: Kind

        /// The name of the code.
        public var description: String { kind.rawValue }

        /// Another writer has appended entries: the expected version is not the true one.
        public static let conflict = Code(kind: .conflict)
        /// The requested entries are no longer kept.
        public static let truncated = Code(kind: .truncated)
        /// The journal was closed.
        public static let closed = Code(kind: .closed)
        /// An entry or a snapshot cannot be decoded.
        public static let unreadable = Code(kind: .unreadable)
        /// The call does not fit the journal, such as a snapshot of a version that doesn't exist.
        public static let invalid = Code(kind: .invalid)
        /// The storage of the journal failed, such as a disk with an error.
        public static let storage = Code(kind: .storage)
        /// More entries are waiting than the journal can accept.
        public static let overflow = Code(kind: .overflow)
        /// What is stored is not what was written: a checksum is wrong, or a page can't be read.
        public static let damaged = Code(kind: .damaged)
        /// There is no space left where the journal is stored.
        public static let full = Code(kind: .full)
        /// Someone else is writing this journal: another process, or another object in this one.
        public static let locked = Code(kind: .locked)
        /// The place where the journal is stored can't be written to.
        public static let unwritable = Code(kind: .unwritable)
        /// The file to be opened is not a journal.
        public static let foreign = Code(kind: .foreign)
        /// The journal was written by a newer version of the library.
        public static let newer = Code(kind: .newer)
        /// The wall clock that dates entries has jumped.
        public static let clock = Code(kind: .clock)
        /// What the journal is stored in was deleted, renamed or replaced while it was open: nothing
        /// is stored any more.
        public static let gone = Code(kind: .gone)
        /// Running an entry ended the program, in two launches in succession.
        public static let fatal = Code(kind: .fatal)
    }

    /// What went wrong.
    public let code: Code
    /// The version that the error is about: for ``Code/conflict`` the journal's true last version,
    /// for ``Code/truncated`` the first one that can still be read, for ``Code/unreadable`` the
    /// entry's.
    public let version: CommitVersion?
    /// A sentence that describes the error and says what to do.
    public let description: String

    /// Creates an error, for your own journals.
    public init(_ code: Code, version: CommitVersion? = nil, _ description: String) {
        self.code = code
        self.version = version
        self.description = description
    }
}

extension JournalError {
    package static func conflict(
        expected position: JournalPosition, true last: JournalPosition
    ) -> JournalError {
        let (expected, version) = (position.version, last.version)
        if expected == version {
            return JournalError(
                .conflict, version: version,
                """
                The entries were to follow version \(expected) with the id \(position.id), but the journal's \
                entry of that version has the id \(last.id): somebody has appended it in place of yours. Read \
                the journal again from \(expected) on.
                """)
        }
        let reason =
            expected < version
            ? """
            somebody has appended, perhaps an earlier run of this program. Read the entries after \
            \(expected), then append to version \(version).
            """
            : "it is another journal, or an older one. Begin with the state that it leads to."
        return JournalError(
            .conflict, version: version,
            """
            The entries were to follow version \(expected), but the journal's last version is \
            \(version): \(reason)
            """)
    }

    package static func truncated(_ version: CommitVersion, first: CommitVersion) -> JournalError {
        JournalError(
            .truncated, version: first,
            """
            The entries from version \(version) on were asked for, but the journal begins at version \
            \(first): what stood before was truncated. Begin with the latest snapshot.
            """)
    }

    package static func closed(_ call: String) -> JournalError {
        JournalError(.closed, "\(call) was called after the journal was closed.")
    }

    /// The error of a cancelled task that was waiting for an entry.
    package static var cancelled: JournalError {
        JournalError(.closed, "The task that waited for an entry was cancelled.")
    }

    package static func misnumbered(
        _ entry: JournalEntry, at offset: Int, instead wanted: CommitVersion
    ) -> JournalError {
        JournalError(
            .invalid, version: entry.version,
            """
            Entry \(offset) of those to append has version \(entry.version) instead of \(wanted). Number \
            the entries from the expected version on.
            """)
    }

    package static func snapshotAhead(_ version: CommitVersion, of last: CommitVersion)
        -> JournalError
    {
        JournalError(
            .invalid, version: version,
            """
            A snapshot of version \(version) was to be stored, but the journal's last version is \
            \(last). Append the entries first.
            """)
    }

    package static func uncovered(_ version: CommitVersion) -> JournalError {
        JournalError(
            .invalid, version: version,
            """
            The entries before version \(version) cannot be forgotten: there is no snapshot of \
            version \(version - 1) or later. Store one first.
            """)
    }

    static func fatal(_ entry: JournalEntry) -> JournalError {
        JournalError(
            .fatal, version: entry.version,
            """
            Entry \(entry.version), "\(entry.name.prefix(200))", ended the program when it was run, in two launches \
            in succession. Mend its reducer: another build of the program runs it again. To go on without it, \
            set `whenUnreadable` to `.quarantine`.
            """)
    }

    package static func notErasable(_ entry: JournalEntry, _ reason: String) -> JournalError {
        JournalError(
            .invalid, version: entry.version,
            "Version \(entry.version) cannot be erased by the entry given for it: \(reason).")
    }

    package static func lastBase(_ version: CommitVersion) -> JournalError {
        JournalError(
            .invalid, version: version,
            """
            The snapshot at version \(version) cannot be dropped, as the entries before it are truncated and \
            no other one stands for them. Give a snapshot of that version without what is to be erased.
            """)
    }
}
