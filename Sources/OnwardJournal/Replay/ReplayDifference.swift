// SPDX-License-Identifier: MIT

public import Onward

/// The first entry of a log after which a replay gives another state.
public struct ReplayDifference: Sendable, CustomStringConvertible {
    /// What differs.
    public enum Kind: Sendable, Hashable {
        /// Two runs in this program.
        case betweenRuns
        /// The replay and the state that was recorded.
        case fromRecording
    }

    /// What differs.
    public let kind: Kind
    /// The entry whose reducers made the difference.
    public let entry: Entry
    /// The place in the state, such as `game.cards.3`; empty for the whole.
    public let path: String
    /// What is there: in both runs, or in the replay.
    public let values: [String]

    /// A sentence with the entry, the place and what to do.
    public var description: String {
        let place = path.isEmpty ? "the state" : path
        let difference =
            switch kind {
            case .betweenRuns:
                "two replays differ in \(place): \(values.joined(separator: " and "))"
            case .fromRecording:
                "the replay differs from the recorded state in \(place): it has \(values.joined())"
            }
        return """
            After entry \(entry.version), \(entry.action.wireName), \(difference). A reducer took \
            something from outside the state and the action, such as the time, a random number or the \
            order of a Set, or was changed since. Put such values into the action.
            """
    }
}
