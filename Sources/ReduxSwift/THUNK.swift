// SPDX-License-Identifier: MIT

/// An action that is a piece of work: it gets the store and dispatches what it likes, now or later.
///
/// For stores with the middleware ``Middlewares/thunk``.
public struct THUNK<State>: ActionType {
    /// The work; runs on the dispatching thread.
    public let run: (_ store: Store<State>) -> Void

    /// An action that runs `run`.
    public init(_ run: @escaping (_ store: Store<State>) -> Void) {
        self.run = run
    }
}
