// SPDX-License-Identifier: MIT

public import Onward

/// Where the present reducers lead recorded sessions to other states.
public struct SessionComparison: Sendable, CustomStringConvertible {
    /// How many sessions were folded.
    public let sessions: Int
    /// The sessions that differ, each where it first differs, in the order in which they were
    /// given.
    public let differences: [SessionDifference]

    /// A sentence with how many sessions differ and where the first one does, and a line for each.
    public var description: String {
        guard let first = differences.first else {
            return "\(sessions) sessions lead to the states that were recorded."
        }
        let lines = differences.map { "  \($0)" }.joined(separator: "\n")
        return """
            \(differences.count) of \(sessions) sessions differ, first at \(first.place)
            \(lines)
            """
    }

    /// Fails a test, or a command, if a session differs.
    ///
    /// - Throws: ``SessionMismatch``, with the text of ``description``.
    public func check() throws {
        guard differences.isEmpty else { throw SessionMismatch(description: description) }
    }
}

/// The error of sessions that lead to states other than the recorded ones.
public struct SessionMismatch: Error, Sendable, CustomStringConvertible {
    /// The text of ``SessionComparison/description``.
    public let description: String
}

/// The first entry of a session after which the present reducers lead to another state.
public struct SessionDifference: Sendable, Hashable, CustomStringConvertible {
    /// Why a state differs.
    public enum Reason: Sendable, Hashable {
        /// The reducers, or what they are called with, have changed since.
        case changed
        /// Two runs of the present reducers differ: they use something from outside the state and
        /// the action.
        case impure
        /// The state or an entry can no longer be decoded.
        case unreadable
    }

    /// The name of the session: that of its file, or its number, counted from 1.
    public let session: String
    /// The entry, or the one before it if the entry can't be decoded.
    public let version: CommitVersion
    /// The name of its action; empty if nothing could be decoded.
    public let action: String
    /// The place in the state, such as `cart.total`; empty for the whole.
    public let path: String
    /// Why.
    public let reason: Reason

    /// The action and the place in the state.
    public var place: String {
        switch (action.isEmpty, path.isEmpty) {
        case (false, false): "\(action), \(path)"
        case (false, true): action
        default: reason == .unreadable ? "its beginning" : "the state"
        }
    }

    /// A sentence with the session, the entry, the place and what to do.
    public var description: String {
        let place = path.isEmpty ? "the state" : path
        switch reason {
        case .changed:
            return
                "\(session): after entry \(version), \(action), \(place) is not what was recorded."
        case .impure:
            return """
                \(session): after entry \(version), \(action), \(place) differs between two runs of the same \
                reducers. They take something from outside the state and the action, such as the time or a random \
                number; put it into the action.
                """
        case .unreadable:
            return """
                \(session): after entry \(version) nothing can be decoded any more. Add a migration for what has \
                changed.
                """
        }
    }
}
