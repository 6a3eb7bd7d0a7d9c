// SPDX-License-Identifier: MIT

public import ReSwift

/// An action that does some work: it may read the state and dispatch any actions, now or later.
///
/// Use it in stores with the middleware that ``createThunkMiddleware()`` makes; without it, a thunk
/// is an action that is not handled.
public struct Thunk<State>: Action {
    /// The work, for tests that run it without a store.
    ///
    /// ```swift
    /// refresh().body({ dispatched.append($0) }, { AppState() })
    /// ```
    public let body:
        (_ dispatch: @escaping DispatchFunction, _ getState: @escaping () -> State?) -> Void

    /// Makes an action that does some work.
    ///
    /// - Parameter body: The work; runs on the dispatching thread. What it dispatches goes through
    ///   all middlewares.
    public init(
        body:
            @escaping (
                _ dispatch: @escaping DispatchFunction, _ getState: @escaping () -> State?
            ) -> Void
    ) {
        self.body = body
    }
}
