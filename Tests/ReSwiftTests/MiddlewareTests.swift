// SPDX-License-Identifier: MIT

import ReSwift
import Testing

import struct Onward.LogEntry

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

    /// Counts how often it is set up.
    private func counted(_ count: @escaping () -> Void) -> Middleware<Bank> {
        { _, _ in
            count()
            return { next in { next($0) } }
        }
    }

    @Test func `Middlewares are set up by the first dispatch, once`() {
        var count = 0
        let store = makeBank([counted { count += 1 }])
        store.subscribe(Listener(of: Bank.self))
        #expect(count == 0)
        store.dispatch(Deposit(amount: 1))
        store.dispatch(Deposit(amount: 1))
        #expect(count == 1)
    }

    @Test func `Reading the dispatch function sets them up, setting it does not`() {
        var count = 0
        let store = makeBank([counted { count += 1 }])
        store.dispatchFunction = { _ in }
        store.dispatch(Deposit(amount: 1))
        #expect(count == 0)
        #expect(store.state.balance == 0)
        let other = makeBank([counted { count += 1 }])
        let dispatch = other.dispatchFunction
        #expect(count == 1)
        dispatch?(Deposit(amount: 1))
        #expect(other.state.balance == 1)
        #expect(count == 1)
    }

    @Test func `Setting middlewares sets them up at once`() {
        var count = 0
        let store = makeBank()
        store.middleware = [counted { count += 1 }]
        #expect(count == 1)
        store.dispatch(Deposit(amount: 1))
        #expect(count == 1)
    }

    @Test func `Without a first state they are set up for the first action, in making the store`() {
        var count = 0
        var actions: [String] = []
        let store = Store<Bank>(
            reducer: reduceBank, state: nil,
            middleware: [
                counted { count += 1 }, middleware { actions.append("\(type(of: $0))") },
            ])
        #expect(count == 1)
        #expect(actions == ["ReSwiftInit"])
        store.dispatch(Deposit(amount: 1))
        #expect(count == 1)
    }

    @Test func `As it is set up, a middleware may read a store that was assigned meanwhile`() {
        final class App { var store: Store<Bank>? }
        let app = App()
        var seen: Int?
        let selection: Middleware<Bank> = { _, _ in
            seen = app.store?.state.balance
            return { next in { next($0) } }
        }
        app.store = makeBank(balance: 7, [selection])
        app.store?.dispatch(Deposit(amount: 1))
        #expect(seen == 7)
        #expect(app.store?.state.balance == 8)
    }

    @Test func `What a middleware dispatches as it is set up goes to the reducer`() {
        let eager: Middleware<Bank> = { dispatch, _ in
            dispatch(Deposit(amount: 5))
            return { next in { next($0) } }
        }
        let store = makeBank([eager])
        store.dispatch(Deposit(amount: 1))
        #expect(store.state.balance == 6)
    }
}
