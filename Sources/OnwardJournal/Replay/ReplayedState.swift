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
    /// The features that recorded the entries, where they are not those of this program; nil also where
    /// the journal has no snapshot that would say so.
    public let featureChange: FeatureChange?
}
