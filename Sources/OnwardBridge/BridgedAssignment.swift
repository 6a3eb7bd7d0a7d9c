// SPDX-License-Identifier: MIT

public import Onward

/// A state that a program assigned to its store, as an Onward store logs it in place of an action.
///
/// Such a state need not be `Sendable`, hence `@unchecked`; the invariant is that of
/// ``BridgedState``.
public struct BridgedAssignment<State>: Action, @unchecked Sendable {
    /// The state from here on.
    public let state: State

    package init(_ state: State) {
        self.state = state
    }

    /// What the log shows.
    public var entryName: String { "Assignment" }
}
