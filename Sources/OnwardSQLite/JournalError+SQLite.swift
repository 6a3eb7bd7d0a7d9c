// SPDX-License-Identifier: MIT
#if SQLite

internal import GRDB
internal import Onward
internal import OnwardJournal

extension JournalError {
    /// What SQLite reports, as an error of a journal, with the last version that is known to be stored.
    init(_ error: DatabaseError, of path: String, safe: CommitVersion?) {
        let known = safe.map { " The last version known to be stored is \($0)." } ?? ""
        let reason = "SQLite says \"\(error.message ?? "\(error.resultCode)")\""
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(
                .full, version: safe,
                "There is no room left for the journal \(path).\(known) Make room; \(reason).")
        case .SQLITE_CORRUPT:
            self.init(
                .damaged, version: safe,
                """
                The file of the journal \(path) is damaged: \(reason). Save a copy of it, export what can be \
                read with `onward inspect`, and continue with a new file.
                """)
        case .SQLITE_NOTADB: self = .foreign(path, "it is no SQLite database")
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            self = .unwritable(path, reason)
        default:
            self.init(
                .storage, version: safe, "The journal \(path) could not be used: \(reason).\(known)"
            )
        }
    }

    static func unwritable(_ path: String, _ reason: String) -> JournalError {
        JournalError(
            .unwritable,
            """
            The journal \(path) can't be written: \(reason). Check that its folder exists and that this \
            program may write the file and its folder.
            """)
    }

    static func gone(_ path: String) -> JournalError {
        JournalError(
            .gone,
            """
            The file \(path) was deleted, renamed or replaced while the journal was open: what is written now \
            would be lost, so nothing is. Put the file back, or close this journal and open one in its place.
            """)
    }

    static func changed(_ file: String) -> JournalError {
        JournalError(
            .gone,
            """
            Another program has changed the file \(file) while the journal was open: it was cut, emptied or \
            overwritten, and what is written now would be lost, so nothing is. Close this journal and open it \
            again: it has what SQLite had brought into the journal's file.
            """)
    }

    static func foreign(_ path: String, _ reason: String) -> JournalError {
        JournalError(
            .foreign, "\(path) is no journal: \(reason). Nothing in it was changed.")
    }

    static func newer(_ path: String, _ found: Int) -> JournalError {
        JournalError(
            .newer,
            """
            The journal \(path) has format \(found), and this program knows formats up to \
            \(JournalEntry.format). Open it with the newer program that wrote it.
            """)
    }

    static func damaged(entry version: CommitVersion, _ reason: String) -> JournalError {
        JournalError(
            .damaged, version: version,
            """
            Entry \(version) of the journal is damaged: \(reason). The entries before it can be read; to go \
            on from there, export them into a new journal.
            """)
    }

    static func damagedBounds(
        _ path: String, _ found: String, _ last: CommitVersion?
    ) -> JournalError {
        let known = last.map { " although \($0) was written" } ?? ""
        return JournalError(
            .damaged, version: last,
            """
            It isn't known where the journal \(path) ends: \(found)\(known). Save a copy of the file, export \
            what can be read with `onward inspect`, and continue with a new file.
            """)
    }

    static func missingBase(_ path: String, _ first: CommitVersion) -> JournalError {
        JournalError(
            .damaged, version: first,
            """
            The journal \(path) begins at version \(first), and the snapshot that stands for the entries \
            before is missing. Save a copy of the file, and continue with a new one or with a backup.
            """)
    }

    static func damaged(snapshot version: CommitVersion) -> JournalError {
        JournalError(
            .damaged, version: version,
            "The snapshot at version \(version) is damaged: its checksum is wrong.")
    }
}
#endif
