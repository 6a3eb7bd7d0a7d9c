// SPDX-License-Identifier: MIT

extension Rule {
    static let taskInReducer = Rule(
        name: "task-in-reducer", certainty: .look,
        what: "a reducer starts work that goes on after it",
        why: """
            The work starts again whenever the log is replayed, and it starts before the state that it \
            belongs to is there.
            """,
        write: "Start it in a middleware, once the action has passed, or in a thunk.",
        example: """
            let connection: Middleware<AppState> = { dispatch, getState in
                { next in
                    { action in
                        next(action)
                        if action is Connect { connect { dispatch(Connected()) } }
                    }
                }
            }
            """
    ) { file, codeBase in
        codeBase.reducerBodies(in: file)
            .flatMap { codeBase.arrivals(at: .work, from: $0) }.map(Place.init)
    }
}
