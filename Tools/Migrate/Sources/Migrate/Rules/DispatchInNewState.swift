// SPDX-License-Identifier: MIT

extension Rule {
    static let dispatchInNewState = Rule(
        name: "dispatch-in-new-state", certainty: .differs,
        what: "a subscriber dispatches while it is notified of a state",
        why: """
            Subscribers are notified of what is dispatched here after all of them were notified of the \
            state before, no longer in the middle of it; store.state has it at once.
            """,
        write: """
            Leave it, if nothing behind the dispatch relies on others having been notified. Else do \
            that in the call of newState that the dispatch leads to, or dispatch from a middleware.
            """,
        example: """
            let refill: Middleware<Tank> = { dispatch, getState in
                { next in
                    { action in
                        next(action)
                        if let tank = getState(), tank.litres < 10 { dispatch(Refill()) }
                    }
                }
            }
            """
    ) { file, codeBase in
        codeBase.subscriberBodies(in: file)
            .flatMap { codeBase.arrivals(at: .dispatch, from: $0) }.map(Place.init)
    }
}
