// SPDX-License-Identifier: MIT

public import Onward

/// How far a ``JournalRecorder`` has come.
public struct RecordingStatus: Sendable, Hashable {
    /// The journal's version of the last entry that was written, or at which the recording began.
    public let version: CommitVersion
    /// How many entries wait to be written.
    public let waiting: Int
    /// Why the recording ended; nil while it continues.
    public let failure: JournalError?
}
