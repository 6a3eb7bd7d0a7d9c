// SPDX-License-Identifier: MIT
#if All

internal import Onward
internal import OnwardJournal

extension JournalError {
    /// What PostgreSQL or the way to it reports, as an error of a journal.
    init(_ failure: PostgresFailure, of name: String, call: String) {
        if let rejection = failure.rejection {
            self = rejection
            return
        }
        let reason = failure.message
        switch (failure.kind, failure.state?.prefix(2), failure.state) {
        case (.closed, _, _): self = .closed(call)
        case (.unreachable, "28", _):
            self.init(
                .unwritable,
                """
                The database \(name) doesn't let this program in: \(reason). Check the user, the password and the \
                server's pg_hba.conf.
                """)
        case (.unreachable, "3D", _):
            self.init(
                .unwritable, "There is no database \(name): \(reason). Make it with createdb.")
        case (_, _, "53100"):
            self.init(
                .full,
                "There is no room left for the database \(name). Make room; PostgreSQL says \"\(reason)\"."
            )
        case (_, _, "42501"), (.refused, _, "25006"):
            self.init(
                .unwritable, "The database \(name) can't be written: PostgreSQL says \"\(reason)\"."
            )
        case (.refused, _, "42P01"), (.refused, _, "42703"), (.refused, _, "42P07"),
            (.refused, _, "42804"):
            self.init(
                .foreign,
                """
                The tables in the database \(name) are not those of a journal: PostgreSQL says "\(reason)". Give \
                the journals a schema of their own.
                """)
        case (_, _, "XX001"), (_, _, "XX002"):
            self.init(
                .damaged,
                "The database \(name) is damaged: PostgreSQL says \"\(reason)\". Restore it from a backup."
            )
        case (.unreachable, _, _):
            self.init(
                .storage,
                "The database \(name) can't be reached, and \(call) has changed nothing: \(reason)."
            )
        case (.refused, _, _):
            self.init(
                .storage,
                "The database \(name) has refused \(call), which has changed nothing: PostgreSQL says \"\(reason)\"."
            )
        default: self = .unknownOutcome(call, name, reason)
        }
    }

    static func unknownOutcome(_ call: String, _ name: String, _ reason: String) -> JournalError {
        JournalError(
            .storage,
            """
            It isn't known what \(call) has done in the database \(name): \(reason). Read where the journal ends \
            before you go on.
            """)
    }

    static func unsent(_ name: String, _ limit: Duration) -> JournalError {
        JournalError(
            .storage,
            """
            The entries were not appended: for \(limit) the database \(name) was busy with those before them, or \
            away.
            """)
    }

    static func overflow(_ limit: Int, _ name: String) -> JournalError {
        JournalError(
            .overflow,
            """
            The entries were not appended: more than \(limit) wait for the database \(name) already. Wait for \
            appends before you make more of them.
            """)
    }

    static func newer(_ name: String, _ found: Int64, _ known: Int) -> JournalError {
        JournalError(
            .newer,
            """
            The journals in the database \(name) have format \(found), and this program knows formats up to \
            \(known). Open them with the newer program that wrote them.
            """)
    }

    static func damaged(entry version: CommitVersion, of store: String, _ reason: String)
        -> JournalError
    {
        JournalError(
            .damaged, version: version,
            """
            Entry \(version) of the journal "\(store)" is damaged: \(reason). The entries before it can be read; \
            restore the others from a backup.
            """)
    }

    static func damaged(snapshot version: CommitVersion, of store: String) -> JournalError {
        JournalError(
            .damaged, version: version,
            "The snapshot at version \(version) of the journal \"\(store)\" is damaged: its checksum is wrong."
        )
    }
}
#endif
