// SPDX-License-Identifier: MIT

/// An action that does some work: it gets the store and may dispatch any actions, now or later.
///
/// Use it in stores with the middleware ``Middlewares/thunk(store:yield:)``.
public struct THUNK<State>: ActionType {
    /// Work with a store.
    public typealias Thunk = (_ store: Store<State>) -> Void

    /// The work; runs on the dispatching thread.
    public let thunk: Thunk

    /// Makes an action that does some work.
    public init(thunk: @escaping Thunk) {
        self.thunk = thunk
    }
}
