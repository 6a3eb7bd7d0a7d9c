// SPDX-License-Identifier: MIT

public import Onward

/// The first entry of a log after which a replay reaches another state.
public struct ReplayDifference: Sendable, CustomStringConvertible {
    /// What differs.
    public enum Kind: Sendable, Hashable {
        /// Two runs in this program differ.
        case betweenRuns
        /// The replay differs from the recorded state.
        case fromRecording
        /// The state before the entry, which must not change, differs after the entry was reduced.
        case inPlace
    }

    /// What differs.
    public let kind: Kind
    /// The entry whose reducers made the difference.
    public let entry: LogEntry
    /// The place in the state, such as `game.cards.3`; empty for the whole state.
    public let path: String
    /// The values at that place.
    ///
    /// In both runs; in the replay; or in the state before the entry and in the same state
    /// afterwards. Empty if two runs differed only once.
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
            case .inPlace:
                """
                the state before it has changed as well, in \(place): from \
                \(values.joined(separator: " to "))
                """
            }
        if kind == .inPlace {
            return """
                After entry \(entry.version), \(entry.action.wireName), \(difference). A reducer changed an \
                object that both states refer to. Make the object's class a struct, or replace the object \
                by a changed copy.
                """
        }
        return """
            After entry \(entry.version), \(entry.action.wireName), \(difference). A reducer took \
            something from outside the state and the action, such as the time, a random number or the \
            order of a Set, or was changed since. Put such values into the action.
            """
    }
}
