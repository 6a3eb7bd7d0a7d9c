// SPDX-License-Identifier: MIT

import ReSwift
import Testing

import struct Onward.Entry

@Suite("Middleware")
struct MiddlewareTests {
    /// Writes down its name on an action's way in and out.
    private func named(_ name: String, _ write: @escaping (String) -> Void) -> Middleware<Bank> {
        { _, getState in
            { next in
                { action in
                    write("\(name) in \(getState()?.balance ?? -1)")
                    next(action)
                    write("\(name) out \(getState()?.balance ?? -1)")
                }
            }
        }
    }

    @Test func `The first middleware is the outermost, and sees the state before and after`() {
        var lines: [String] = []
        let store = makeBank([named("1", { lines.append($0) }), named("2", { lines.append($0) })])
        store.dispatch(Deposit(amount: 5))
        #expect(lines == ["1 in 0", "2 in 0", "2 out 5", "1 out 5"])
    }

    @Test func `A middleware can keep, change and add actions`() {
        let change: Middleware<Bank> = { dispatch, _ in
            { next in
                { action in
                    switch action {
                    case is Unknown: break
                    case is Rename:
                        dispatch(Deposit(amount: 1))
                        next(action)
                    case let deposit as Deposit: next(Deposit(amount: deposit.amount * 10))
                    default: next(action)
                    }
                }
            }
        }
        let store = makeBank([change])
        store.dispatch(Unknown())
        #expect(store.onward.version == 0)
        store.dispatch(Rename(owner: "Bob"))
        #expect(store.state.balance == 10)
        #expect(store.state.owner == "Bob")
    }

    @Test func `A middleware can pass an action on after dispatch returned`() {
        var later: (() -> Void)?
        let delay: Middleware<Bank> = { _, _ in { next in { action in later = { next(action) } } } }
        let store = makeBank([delay])
        store.dispatch(Deposit(amount: 3))
        #expect(store.state.balance == 0)
        later?()
        #expect(store.state.balance == 3)
    }

    @Test func `A middleware that passes an action on when the store is gone does no harm`() {
        var later: (() -> Void)?
        let delay: Middleware<Bank> = { dispatch, getState in
            { next in
                { action in
                    later = {
                        next(action)
                        dispatch(action)
                        #expect(getState() == nil)
                    }
                }
            }
        }
        do {
            let store = makeBank([delay])
            store.dispatch(Deposit(amount: 3))
        }
        #expect(later != nil)
        later?()
    }

    @Test func `Middlewares can be read and replaced while the store is in use`() {
        var lines: [String] = []
        let store = makeBank([middleware { _ in lines.append("old") }])
        store.dispatch(Deposit(amount: 1))
        #expect(store.middleware.count == 1)
        store.middleware.insert(middleware { _ in lines.append("new") }, at: 0)
        store.dispatch(Deposit(amount: 1))
        store.middleware = []
        store.dispatch(Deposit(amount: 1))
        #expect(lines == ["old", "new", "old"])
        #expect(store.state.balance == 3)
    }
}
