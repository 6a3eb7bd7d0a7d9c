// SPDX-License-Identifier: MIT

/// An action that is a piece of work: it gets the store and dispatches what it likes, now or later.
///
/// For stores with the middleware ``Middlewares/thunk(store:yield:)``.
public struct THUNK<State>: ActionType {
    /// Work with a store.
    public typealias Thunk = (_ store: Store<State>) -> Void

    /// The work; runs on the dispatching thread.
    public let thunk: Thunk

    /// An action that does some work.
    public init(thunk: @escaping Thunk) {
        self.thunk = thunk
    }
}
