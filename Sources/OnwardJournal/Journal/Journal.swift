// SPDX-License-Identifier: MIT

public import Onward

/// The stored log of one store: entries in order, with snapshots of states between them.
///
/// Code that only reads takes a ``ReadableJournal``.
///
/// Every journal makes these promises, whatever it is stored on (`OnwardTesting` has a test suite
/// that each backend runs):
///
/// 1. **Appending is atomic.** Either all entries of a call are added or none, and they follow one
///    another without a gap. What was acknowledged can be read by every reader from then on, and is
///    not lost when the program crashes if the backend states that it is durable.
/// 2. **One history.** An entry that was read under a version never changes, except that
///    ``erase(_:_:)`` removes its contents. Appending after an expected entry that is not the last
///    one, by its version or by its id, changes nothing and throws ``JournalError/Code/conflict``
///    with the true version, so of two writers that read the same end one is refused.
/// 3. **Reading sees one moment.** ``ReadableJournal/entries(from:limit:)`` reads from one state of
///    the journal, in order.
/// 4. **Following misses nothing.** ``follow(from:)`` returns each entry once, in order, including
///    those that others append, until the journal is closed or the reader is cancelled. A slow
///    reader delays nothing: it reads from the journal, and no queue grows for it.
/// 5. **Truncating forgets only the past**, and never more than a stored snapshot covers.
/// 6. **A failed call changes nothing**, or throws ``JournalError/Code/storage`` if it cannot know.
///    A journal whose storage is gone throws ``JournalError/Code/gone`` from every call, including
///    ``ReadableJournal/lastPosition()``, so that nothing is taken for stored.
///
/// All calls may be made from any task, even concurrently.
public protocol Journal: ReadableJournal {
    /// What an entry survives once appending it has returned.
    var durability: Durability { get }

    /// Appends entries after the last one.
    ///
    /// - Parameters:
    ///   - entries: The entries to add; their versions continue from the expected one without gaps.
    ///   - expected: Where the caller expects the journal to end.
    /// - Throws: ``JournalError/Code/conflict`` with the true version;
    ///   ``JournalError/Code/invalid`` for entries whose versions don't follow one another.
    func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) async throws(JournalError)

    /// Returns once there is an entry after a version or the journal is closed.
    ///
    /// - Throws: ``JournalError``; also `.closed` when the calling task is cancelled.
    func wait(after version: CommitVersion) async throws(JournalError)

    /// Stores a snapshot, replacing one of the same version.
    ///
    /// - Throws: ``JournalError/Code/invalid`` for a version after the last one.
    func store(_ snapshot: JournalSnapshot) async throws(JournalError)

    /// Discards the entries before a version, and snapshots that were only needed for these.
    ///
    /// - Throws: ``JournalError/Code/invalid``, without discarding anything, unless a snapshot at
    ///   `version - 1` or later is kept.
    func truncate(before version: CommitVersion) async throws(JournalError)

    /// Stores a snapshot of the state after an entry, if the journal has that entry.
    ///
    /// This is for several writers: one that has folded an entry that was never accepted must not
    /// leave that to others. The default checks and stores in two steps, which is enough if an
    /// entry that was read never changes; a journal that may lose its end does it in one step.
    ///
    /// - Parameters:
    ///   - snapshot: The state.
    ///   - position: The last entry that it includes.
    /// - Throws: ``JournalError/Code/conflict``, without storing anything, if the journal has
    ///   another entry of that version or no longer has one; otherwise as ``store(_:)``.
    func store(
        _ snapshot: JournalSnapshot, at position: JournalPosition
    ) async throws(JournalError)

    /// Discards the entries before a version, if the journal has an entry that the caller knows.
    ///
    /// - Throws: ``JournalError/Code/conflict``, without discarding anything, if the journal has
    ///   another entry of that version or no longer has one; otherwise as ``truncate(before:)``.
    func truncate(
        before version: CommitVersion, at position: JournalPosition
    ) async throws(JournalError)

    /// Removes the contents of entries: the one exception to the rule that entries never change.
    ///
    /// Snapshots from the first of these entries on are dropped, except those that are replaced.
    ///
    /// - Parameters:
    ///   - entries: Replacements for the entries with these versions: each of the kind
    ///     ``JournalEntry/Kind/erased`` with the id of the entry that it replaces, or an installed
    ///     state that replaces another one.
    ///   - snapshots: Replacements for the snapshots with these versions.
    /// - Throws: ``JournalError/Code/invalid``, without erasing anything, for entries that aren't
    ///   kept, have another id or aren't of that kind, and if dropping a snapshot would leave the
    ///   journal without the one that stands for truncated entries.
    func erase(
        _ entries: [JournalEntry], _ snapshots: [JournalSnapshot]
    ) async throws(JournalError)

    /// Returns whether the bytes on which the journal is stored have one of some texts, such as a
    /// name that was erased.
    ///
    /// The default is for journals that aren't files of this program, and returns false.
    ///
    /// - Parameter texts: The bytes of each text.
    /// - Returns: Whether one of them is there.
    /// - Throws: ``JournalError``.
    func stores(anyOf texts: [[UInt8]]) async throws(JournalError) -> Bool

    /// The path of a file in which a ``Persistence`` may note the entry that it is about to run while
    /// it restores a store, so that the next launch knows which entry ended the program; nil, the
    /// default, for a journal without a place for it.
    var replayMarkPath: String? { get }

    /// Lets go of every lock that a suspended app must not hold; later calls wait until ``resume()``.
    ///
    /// The default does nothing, for journals without locks.
    func suspend() async

    /// Takes up what ``suspend()`` has let go of; waiting calls go on.
    ///
    /// - Throws: Why that isn't possible; then the journal stays suspended, and this may be called
    ///   again.
    func resume() async throws(JournalError)
}

extension Journal {
    /// Nil: the journal has no place for a file.
    public var replayMarkPath: String? { nil }

    /// Nothing that was said: a journal that is more durable says so.
    public var durability: Durability { .memory }

    /// Does nothing: the journal has no locks.
    public func suspend() async {}

    /// Does nothing: the journal has no locks.
    public func resume() async throws(JournalError) {}

    /// Returns false, as nothing is known about the bytes of such a journal.
    public func stores(anyOf texts: [[UInt8]]) async throws(JournalError) -> Bool { false }

    /// Stores a snapshot of the state after an entry, if the journal has that entry.
    ///
    /// - Throws: ``JournalError/Code/conflict``, without storing anything, if it doesn't.
    public func store(
        _ snapshot: JournalSnapshot, at position: JournalPosition
    ) async throws(JournalError) {
        try await check(position)
        try await store(snapshot)
    }

    /// Discards the entries before a version, if the journal has an entry that the caller knows.
    ///
    /// - Throws: ``JournalError/Code/conflict``, without discarding anything, if it doesn't.
    public func truncate(
        before version: CommitVersion, at position: JournalPosition
    ) async throws(JournalError) {
        try await check(position)
        try await truncate(before: version)
    }

    /// Throws unless the journal has the entry at a position.
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

    /// Follows the journal: the entries from a version on, then new ones, each once and in order.
    ///
    /// - Parameter version: The first version to return, from 1.
    /// - Returns: A sequence that ends when the journal is closed.
    public func follow(from version: CommitVersion = 1) -> JournalFollower<Self> {
        JournalFollower(journal: self, next: version)
    }
}
