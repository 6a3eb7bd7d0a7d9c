// SPDX-License-Identifier: MIT

public import Onward

/// The result of replaying a journal.
public struct ReplayedState<State: Sendable>: Sendable {
    /// The state after the last entry.
    public let state: State
    /// The version of that entry in the journal; 0 if there is none.
    public let version: CommitVersion
    /// How many entries could not be decoded and were left out.
    public let quarantined: Int
    /// Why newer snapshots could not be read, the newest first.
    ///
    /// The state is correct without them; it just took more entries to compute.
    public let passedSnapshots: [JournalError]
    /// The features that recorded the entries, if they are not those of this program; also nil if
    /// the journal has no snapshot that identifies them.
    public let featureChange: FeatureChange?
}
