// SPDX-License-Identifier: MIT

import Onward

/// A middleware of a history.
struct Meddler: Middleware {
    typealias State = World

    enum Mode: Sendable { case passesOn, addsOne, withholdsSome }

    let mode: Mode

    func handle<A: Action>(_ action: A, in context: borrowing MiddlewareContext<World>)
        -> DispatchResult
    {
        soakPoint()
        switch mode {
        case .passesOn: break
        case .addsOne:
            if let deed = action as? Deed, deed == .bump(.x) { context.dispatch(Deed.bump(.y)) }
        case .withholdsSome:
            if let deed = action as? Deed, deed == .bump(.z) { return .withheld }
        }
        let result = context.next(action)
        soakPoint()
        return result
    }
}
