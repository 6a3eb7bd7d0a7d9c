// SPDX-License-Identifier: MIT

internal import Onward

/// How a ``JournalRecorder`` writes, and how much it tolerates.
public struct RecordingOptions: Sendable {
    /// What is done when another writer appends to the journal.
    public enum Others: Sendable, Hashable {
        /// Recording stops with ``JournalError/Code/conflict``: one store writes, or none.
        case stopForThem
        /// The entries are appended after theirs. No snapshot is stored any more, since the store does
        /// not know what those did, and each installed state is written whole.
        case appendBehindThem
    }

    /// The most entries that wait for the journal; one more stops the recording.
    ///
    /// A state that was installed and is not that of an earlier entry counts as 100.
    public var queueLimit = 10_000
    /// How many entries lie between two snapshots; nil for only the first.
    public var snapshotSpacing: Int? = 10_000
    /// How often a call is tried again when the place where the journal is stored fails.
    public var retries = 5
    /// How long it waits before the first new try; twice as long before each further one.
    public var retryPause = Duration.milliseconds(50)
    /// What is done when another writer appends.
    public var others = Others.stopForThem
    /// The clock of the pauses.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Called with every failed call, and with the end of the recording.
    ///
    /// Called outside every lock, by the writing task or by the thread that delivers the commit. Writes a line
    /// to standard error unless it is set.
    public var report: @Sendable (JournalError) -> Void = JournalError.print

    /// What is recorded of an action: itself unless it is set.
    var recorded: (@Sendable (any Action) -> (any Action)?)?

    /// The usual options; 10,000 entries may wait, five new tries.
    public init() {}
}
