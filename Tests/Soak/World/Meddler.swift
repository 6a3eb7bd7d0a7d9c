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
            if case .claim(let claiming)? = action as? DeskDeed, claiming.serial < 1_000 {
                // In the name of whoever dispatched that one, as the middleware runs in its dispatch.
                Stage.current?.asks(claiming.added, by: claiming.authorName)
                let result = context.dispatch(DeskDeed.claim(claiming.added))
                Stage.current?.learns(result, of: claiming.added)
            }
        case .withholdsSome:
            if let deed = action as? Deed, deed == .bump(.z) { return .withheld }
            if case .claim(let claiming)? = action as? DeskDeed, claiming.weight == 0 {
                return .withheld
            }
        }
        let result = context.next(action)
        soakPoint()
        return result
    }
}
