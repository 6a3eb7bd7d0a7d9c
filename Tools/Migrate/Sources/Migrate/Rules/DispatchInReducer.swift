// SPDX-License-Identifier: MIT

extension Rule {
    static let dispatchInReducer = Rule(
        name: "dispatch-in-reducer", certainty: .differs,
        what: "a reducer dispatches",
        why: """
            With ReSwift this was a fatal error, with ReduxSwift its result was lost. Now it stops a \
            debug build; a release build logs the mistake and refuses the action.
            """,
        write: "Dispatch from a middleware that lets the action pass first, or from a thunk.",
        example: """
            let greeting: Middleware<AppState> = { dispatch, getState in
                { next in
                    { action in
                        next(action)
                        if action is LogIn { dispatch(LoadInbox()) }
                    }
                }
            }
            """
    ) { file, codeBase in
        codeBase.reducerBodies(in: file)
            .flatMap { codeBase.arrivals(at: .dispatch, from: $0) }.map(Place.init)
    }
}
