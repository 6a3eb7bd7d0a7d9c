// SPDX-License-Identifier: MIT

public import ReSwift

/// Makes a middleware that runs each ``Thunk`` of its type of state instead of passing it on.
public func createThunkMiddleware<State>() -> Middleware<State> {
    { dispatch, getState in
        { next in
            { action in
                guard let thunk = action as? Thunk<State> else { return next(action) }
                thunk.body(dispatch, getState)
            }
        }
    }
}

/// Makes the middleware of ``createThunkMiddleware()``.
@available(*, deprecated, renamed: "createThunkMiddleware")
public func createThunksMiddleware<State>() -> Middleware<State> {
    createThunkMiddleware()
}
