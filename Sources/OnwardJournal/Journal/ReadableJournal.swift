// SPDX-License-Identifier: MIT

public import Onward

/// A log that can be read: a ``Journal``, or what has the entries of one, such as the report of a
/// session.
///
/// Code that only reads takes this, so that the compiler knows that it writes nothing. An entry that
/// was read under a version never changes, unless it is erased. All calls may be made from any task,
/// even concurrently.
public protocol ReadableJournal: Sendable {
    /// Returns where the journal ends: ``JournalPosition/start`` if nothing was ever appended.
    ///
    /// - Throws: ``JournalError``.
    func lastPosition() async throws(JournalError) -> JournalPosition

    /// Returns the entries from a version on, in order.
    ///
    /// - Parameters:
    ///   - version: The first version to return, from 1; one after the last returns no entries.
    ///   - limit: The maximum number of entries to return.
    /// - Returns: At most `limit` entries; fewer or none if the journal ends before that.
    /// - Throws: ``JournalError/Code/truncated`` if the version is no longer kept.
    func entries(
        from version: CommitVersion, limit: Int
    ) async throws(JournalError) -> [JournalEntry]

    /// Returns the newest snapshot at or before a version, or nil if there is none.
    func snapshot(at version: CommitVersion) async throws(JournalError) -> JournalSnapshot?

    /// Closes the journal: its followers end, later calls throw, and a second call does nothing.
    func close() async
}

extension ReadableJournal {
    /// Does nothing: the journal has nothing open.
    public func close() async {}

    /// Returns the first version that is kept.
    ///
    /// - Throws: ``JournalError``.
    public func firstVersion() async throws(JournalError) -> CommitVersion {
        do {
            _ = try await entries(from: 1, limit: 1)
            return 1
        } catch  where error.code == .truncated {
            return error.version ?? 1
        }
    }

    /// Returns the last version, or 0 if nothing was ever appended.
    ///
    /// - Throws: ``JournalError``.
    public func lastVersion() async throws(JournalError) -> CommitVersion {
        try await lastPosition().version
    }
}
