// SPDX-License-Identifier: MIT

public import Onward

/// The log of one store, kept somewhere: entries in an order, and snapshots of states between them.
///
/// What every journal promises, whatever it is stored on (`OnwardTesting` has a suite of tests that each
/// backend runs):
///
/// 1. **Appending is atomic.** All entries of a call are added or none, and they follow one another
///    without a gap. What was acknowledged can be read by every reader from then on, and is not lost by
///    a crash of the program where the backend says that it is durable.
/// 2. **One history.** An entry that was read under a version never changes, except that ``erase(_:_:)``
///    takes away what it says. Appending behind an expected entry that is not the last one, by its version
///    or by its id, changes nothing and throws ``JournalError/Code/conflict`` with the true version, so of
///    two writers that read the same end one is refused.
/// 3. **Reading is a moment.** ``entries(from:limit:)`` answers from one state of the journal, in order.
/// 4. **Following misses nothing.** ``follow(from:)`` gives each entry once, in order, those that
///    others append included, until the journal is closed or the reader cancelled. A slow reader holds
///    nothing up: it reads from the journal, and no queue grows for it.
/// 5. **Truncating forgets only the past**, and never more than a stored snapshot covers.
/// 6. **A failed call changes nothing**, or throws ``JournalError/Code/storage`` when it cannot know.
///
/// All calls may be made from any task, even at the same time.
public protocol Journal: Sendable {
    /// Where the journal ends; ``JournalPosition/start`` when nothing was ever appended.
    ///
    /// - Throws: ``JournalError``.
    func lastPosition() async throws(JournalError) -> JournalPosition

    /// Adds entries behind the last one.
    ///
    /// - Parameters:
    ///   - entries: What to add; their versions follow the expected one, one by one.
    ///   - expected: Where the caller believes the journal to end.
    /// - Throws: ``JournalError/Code/conflict`` with the true version; ``JournalError/Code/invalid`` for
    ///   entries whose versions don't follow one another.
    func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) async throws(JournalError)

    /// Entries from a version on, in order.
    ///
    /// - Parameters:
    ///   - version: The first version wanted, from 1; one after the last gives no entries.
    ///   - limit: The most entries to return.
    /// - Returns: At most so many entries; none where the journal ends before.
    /// - Throws: ``JournalError/Code/truncated`` when the version is no longer kept.
    func entries(
        from version: Version, limit: Int
    ) async throws(JournalError) -> [JournalEntry]

    /// Returns once there is an entry after a version, or the journal was closed.
    ///
    /// - Throws: ``JournalError``; also `.closed` when the calling task is cancelled.
    func wait(after version: Version) async throws(JournalError)

    /// The newest snapshot at or before a version; nil where there is none.
    func snapshot(at version: Version) async throws(JournalError) -> JournalSnapshot?

    /// Keeps a snapshot; one of the same version is replaced.
    ///
    /// - Throws: ``JournalError/Code/invalid`` for a version after the last one.
    func store(_ snapshot: JournalSnapshot) async throws(JournalError)

    /// Forgets entries before a version, and snapshots that only served these.
    ///
    /// - Throws: ``JournalError/Code/invalid``, and nothing is forgotten, unless a snapshot at
    ///   `version - 1` or later is kept.
    func truncate(before version: Version) async throws(JournalError)

    /// Keeps a snapshot of the state behind an entry, where the journal has that entry.
    ///
    /// For several writers: one that has folded an entry which was never accepted must not leave it to
    /// others. The default checks and stores in two steps, which is enough where an entry that was read
    /// never changes; a journal whose end may be lost does it in one.
    ///
    /// - Parameters:
    ///   - snapshot: The state.
    ///   - position: The last entry that it includes.
    /// - Throws: ``JournalError/Code/conflict``, and nothing is kept, where the journal has another entry of
    ///   that version, or none any more; otherwise as ``store(_:)``.
    func store(
        _ snapshot: JournalSnapshot, at position: JournalPosition
    ) async throws(JournalError)

    /// Forgets entries before a version, where the journal has an entry that the caller knows.
    ///
    /// - Throws: ``JournalError/Code/conflict``, and nothing is forgotten, where the journal has another entry
    ///   of that version, or none any more; otherwise as ``truncate(before:)``.
    func truncate(
        before version: Version, at position: JournalPosition
    ) async throws(JournalError)

    /// Takes away what entries say: the one exception to an entry never changing.
    ///
    /// Snapshots from the first of these entries on are dropped, except those that are given anew.
    ///
    /// - Parameters:
    ///   - entries: What takes the place of the entries with these versions; each of the kind
    ///     ``JournalEntry/Kind/erased`` with the id of the entry that it replaces, or an installed state in
    ///     place of one.
    ///   - snapshots: Snapshots that take the place of those with these versions.
    /// - Throws: ``JournalError/Code/invalid``, and nothing is erased, for entries that aren't kept, have
    ///   another id or aren't of that kind, and where dropping a snapshot would leave the journal without the
    ///   one that stands for truncated entries.
    func erase(
        _ entries: [JournalEntry], _ snapshots: [JournalSnapshot]
    ) async throws(JournalError)

    /// Ends the journal: readers that follow it end, later calls throw. A second call does nothing.
    func close() async
}

extension Journal {
    /// Keeps a snapshot of the state behind an entry, where the journal has that entry.
    ///
    /// - Throws: ``JournalError/Code/conflict``, and nothing is kept, where it hasn't.
    public func store(
        _ snapshot: JournalSnapshot, at position: JournalPosition
    ) async throws(JournalError) {
        try await check(position)
        try await store(snapshot)
    }

    /// Forgets entries before a version, where the journal has an entry that the caller knows.
    ///
    /// - Throws: ``JournalError/Code/conflict``, and nothing is forgotten, where it hasn't.
    public func truncate(
        before version: Version, at position: JournalPosition
    ) async throws(JournalError) {
        try await check(position)
        try await truncate(before: version)
    }

    /// Fails unless the journal has the entry of a position.
    private func check(_ position: JournalPosition) async throws(JournalError) {
        let last = try await lastPosition()
        guard position != .start, position != last else { return }
        let found: JournalEntry?
        do {
            found = try await entries(from: position.version, limit: 1).first
        } catch  where error.code == .truncated {
            found = nil
        }
        guard found?.id == position.id else {
            throw .conflict(expected: position, true: found?.position ?? last)
        }
    }

    /// The last version; 0 when nothing was ever appended.
    ///
    /// - Throws: ``JournalError``.
    public func lastVersion() async throws(JournalError) -> Version {
        try await lastPosition().version
    }

    /// The entries from a version on, and then those still to come, each once and in order.
    ///
    /// - Parameter version: The first version wanted, from 1.
    /// - Returns: A sequence that ends when the journal is closed.
    public func follow(from version: Version = 1) -> JournalFollower<Self> {
        JournalFollower(journal: self, next: version)
    }
}
