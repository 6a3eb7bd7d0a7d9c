// SPDX-License-Identifier: MIT

public import Onward

/// Entries were recorded by other features than those replaying them, so the state may differ from
/// what was shown at the time.
public struct FeatureChange: Sendable, Hashable, CustomStringConvertible {
    /// What the state was made of.
    public enum Outcome: Sendable, Hashable {
        /// The recording features and the present ones lead to the same state at the snapshot.
        case same
        /// The present features made the state: the entries before the snapshot were replayed, too.
        case replayed
        /// The recording features made the state at the snapshot, as the entries before it are gone
        /// or can't be read any more; the present ones replayed what came after it.
        case mixed
    }

    /// The features that recorded the entries.
    ///
    /// They are the present ones if a reducer was changed without a new revision.
    public let recorded: FeatureFingerprint
    /// The features that are replaying them.
    public let present: FeatureFingerprint
    /// What the state was made of.
    public let outcome: Outcome
    /// The version of the newest snapshot, which the recording features made.
    public let snapshot: CommitVersion
    /// The version of the first entry that was replayed.
    public let first: CommitVersion
    /// The version of the last entry that was replayed; below ``first`` if there was none.
    public let last: CommitVersion

    /// A sentence with the versions and what to do about them.
    public var description: String {
        let features =
            recorded == present
            ? "with other reducers, although the revision is the same"
            : "by other features (\(recorded)) than those of this program (\(present))"
        let entries = first > last ? "No entry was" : "The entries \(first) to \(last) were"
        let result =
            switch outcome {
            case .same:
                """
                Both lead to the same state at version \(snapshot). \(entries) replayed by the new ones.
                """
            case .replayed:
                """
                \(entries) replayed by the new ones, which may give another state than was shown. If that \
                matters, look at it with the program that recorded it.
                """
            case .mixed:
                """
                The state at version \(snapshot) was made by the old ones, since the entries before it are gone \
                or can't be read any more. \(entries) replayed by the new ones. If that matters, look at it \
                with the program that recorded it.
                """
            }
        return "The journal was recorded \(features). \(result)"
    }
}
