// SPDX-License-Identifier: MIT

public import Onward

/// How a ``Persistence`` restores its store, and what it keeps of it.
public struct PersistenceOptions<State: Codable & Sendable>: Sendable {
    /// How far a restoration has come.
    public struct Progress: Sendable, Hashable {
        /// The last entry that was run.
        public let version: Version
        /// The last one that is to be run.
        public let last: Version
    }

    /// What happens when the journal fails for good, or more entries wait for it than it may have.
    public enum Failure: Sendable, Hashable {
        /// The store goes on in memory, which is reported; as soon as the journal takes something again, it gets
        /// the whole state, and recording resumes behind it.
        case resume
        /// The store goes on in memory, which is reported; nothing is recorded any more, and
        /// ``Persistence/flush()`` throws.
        case end
    }

    /// How entries are written and read; the same as that of the journal's first entry.
    public var format = DataFormat.cbor
    /// How old entries and snapshots are brought to the present types.
    public var migrations = Migrations()
    /// A text that the program changes with the behaviour of its reducers.
    public var revision = ""
    /// What happens with an entry that can't be decoded; restoring fails with what is missing unless it is set.
    public var whenUnreadable = UnreadableEntryPolicy.fail
    /// How much of the log is kept; all of it unless it is set.
    public var retention = Retention.all
    /// Limits of the recording; the spacing of snapshots; where errors are reported.
    public var recording = RecordingOptions()
    /// What happens when nothing can be recorded.
    public var whenFailing = Failure.resume
    /// Called while the store is restored, by the task that restores.
    public var progress: @Sendable (Progress) -> Void = { _ in }
    /// Takes out of a state what isn't to be restored: transient slices are set to their first value.
    ///
    /// It is applied when the store is restored, not to what is stored.
    public var resetting: @Sendable (inout State) -> Void = { _ in }

    /// The usual options.
    public init() {}
}
