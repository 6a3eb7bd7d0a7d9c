// SPDX-License-Identifier: MIT

/// The state of another library's app as an Onward store holds it.
///
/// Such a state need not be `Sendable`, hence `@unchecked`. Invariant: the store changes its own
/// value under its lock, by a reducer that returns another value; every other holder has a copy
/// that it only reads. A state that is, or refers to, a class shares that object with all readers,
/// as it did with the other library; the program must then decide who may access it when.
public struct BridgedState<State>: @unchecked Sendable {
    /// The app's state; nil until its reducer has made the first one.
    public var state: State?

    /// Wraps a state.
    public init(_ state: State?) {
        self.state = state
    }
}
