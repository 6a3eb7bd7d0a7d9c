// SPDX-License-Identifier: MIT

public import Onward

/// Entries were recorded by other features than those replaying them, so the state may differ from
/// what was shown at the time.
public struct FeatureChange: Sendable, Hashable, CustomStringConvertible {
    /// The features that recorded them.
    public let recorded: FeatureFingerprint
    /// The features that are replaying them.
    public let present: FeatureFingerprint
    /// The version of the first entry that was replayed.
    public let first: Version
    /// The version of the last entry that was replayed; below ``first`` if there was none.
    public let last: Version

    /// A sentence with the versions and what to do about them.
    public var description: String {
        let entries = first > last ? "No entry was" : "The entries \(first) to \(last) were"
        return """
            The journal was recorded by other features (\(recorded)) than those of this program \
            (\(present)). \(entries) replayed by the new ones, which may give another state than was shown. \
            If that matters, look at it with the program that recorded it.
            """
    }
}
