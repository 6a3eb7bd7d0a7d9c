// SPDX-License-Identifier: MIT

internal import Onward

/// How a ``JournalRecorder`` writes, and how much it tolerates.
public struct RecordingOptions: Sendable {
    /// What to do when another writer appends to the journal.
    public enum Others: Sendable, Hashable {
        /// Stop recording with ``JournalError/Code/conflict``: one store writes, or none.
        case stopForThem
        /// Append the entries after theirs, without further snapshots, since the store does not
        /// know what the others did, and with each installed state written in full.
        case appendBehindThem
    }

    /// The maximum number of entries that wait for the journal; one more stops the recording.
    ///
    /// An installed state that is not that of an earlier entry counts as 100.
    public var queueLimit = 10_000
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

    /// Creates the default options: 10,000 entries may wait, five retries.
    public init() {}
}
