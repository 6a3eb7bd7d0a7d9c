// SPDX-License-Identifier: MIT

internal import Onward

/// How a ``JournalRecorder`` writes, and how much it tolerates.
public struct RecordingOptions: Sendable {
    /// What to do when another writer appends to the journal.
    public enum Others: Sendable, Hashable {
        /// Stop recording with ``JournalError/Code/conflict``: one store writes, or none. What the others have
        /// appended stays as it is, also where a recording that has failed would resume
        /// (``PersistenceOptions/Failure/resume``).
        case stopForThem
        /// Append the entries after theirs, without further snapshots, since the store does not
        /// know what the others did, and with each installed state written in full.
        ///
        /// No entry of theirs is lost. But an installed state is this store's alone: behind one of
        /// a ``History``, after a burst (``MissingCommits``) and after a failure, what the others
        /// did before it is in the log and no longer in the state. Stores of which each has to
        /// follow the others belong into a cluster.
        case appendBehindThem
    }

    /// About how many bytes of memory the entries that wait for the journal may take, besides those
    /// that are being written: some 300,000 small actions unless it is changed.
    ///
    /// What is committed beyond it is missing in the journal, which says so; see
    /// ``MissingCommits``. A single entry may be larger.
    public var waitingBytes = 64 << 20
    /// The number of entries between two snapshots; nil to store only the first snapshot.
    public var snapshotSpacing: Int? = 10_000
    /// How often a call is retried when the journal's storage fails.
    public var retries = 5
    /// The pause before the first retry; it doubles before each further one.
    public var retryPause = Duration.milliseconds(50)
    /// What to do when another writer appends.
    public var others = Others.stopForThem
    /// The clock that measures the pauses.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Called for every failed call, and when the recording ends.
    ///
    /// Called outside every lock, on the writing task or the thread that delivers the commit. By
    /// default it writes a line to standard error.
    public var report: @Sendable (JournalError) -> Void = JournalError.print

    /// What is recorded in place of an action; by default the action itself.
    var recorded: (@Sendable (any Action) -> (any Action)?)?

    /// Whether the recording resumes with the whole state after it has failed.
    var resumes = false

    /// Creates the default options: 64 MiB of entries may wait, five retries.
    public init() {}
}
