// SPDX-License-Identifier: MIT

public import Onward

/// What a journal leads to.
public struct ReplayedState<State: Sendable>: Sendable {
    /// The state after the last entry.
    public let state: State
    /// The version of that entry in the journal; 0 where there is none.
    public let version: Version
    /// How many entries could not be decoded and were left out.
    public let quarantined: Int
    /// Why newer snapshots could not be read, the newest first.
    ///
    /// The state is right without them; it took more entries to compute.
    public let passedSnapshots: [JournalError]
    /// The features that recorded the entries, where they are not those of this program; nil also where
    /// the journal has no snapshot that would say so.
    public let featureChange: FeatureChange?
}
