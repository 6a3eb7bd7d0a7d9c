// SPDX-License-Identifier: MIT

import ReduxSwift
import Testing

@Suite("Middlewares")
struct MiddlewaresTests {
    @Test func `A thunk gets the store and dispatches, and does not reach the reducer`() {
        var seen = 0
        let store = Store<Int>(
            reducer: { action, state in
                seen += 1
                return count(action: action, state: state)
            }, state: 0, middlewares: [Middlewares<Int>.thunk])
        let result = store.dispatch(
            THUNK<Int> { given in
                #expect(given === store)
                _ = given.dispatch(Add(amount: 2))
                _ = given.dispatch(Add(amount: given.state))
            })
        #expect(result is THUNK<Int>)
        #expect(store.state == 4)
        #expect(seen == 2)
    }

    @Test func `A thunk may dispatch later`() {
        var later: (() -> Void)?
        let store = makeCounter([Middlewares<Int>.thunk])
        _ = store.dispatch(
            THUNK<Int> { store in later = { _ = store.dispatch(Add(amount: 2)) } })
        #expect(store.state == 0)
        later?()
        #expect(store.state == 2)
    }

    @Test func `The logger writes each action with the states before and after`() {
        var lines: [String] = []
        let store = makeCounter([Middlewares<Int>.logging { lines.append($0) }])
        _ = store.dispatch(Add(amount: 2))
        #expect(lines == ["→ Add(amount: 2), state: 0", "← Add(amount: 2), state: 2"])
    }

    @Test func `The logger that prints passes actions on`() {
        let logger = Middlewares<Int>.logger
        let store = makeCounter([logger])
        _ = store.dispatch(Add(amount: 2))
        #expect(store.state == 2)
    }

    @Test func `A thunk is made with a label, and by a closure behind`() {
        let store = makeCounter([Middlewares<Int>.thunk])
        let work: THUNK<Int>.Thunk = { store in _ = store.dispatch(Add(amount: 1)) }
        let thunk = THUNK(thunk: work)
        _ = store.dispatch(thunk)
        thunk.thunk(store)
        #expect(store.state == 2)
    }

    @Test func `Middlewares that an app adds stand beside those of the library`() {
        let store = makeCounter([Middlewares<Int>.doubling, Middlewares<Int>.thunk])
        _ = store.dispatch(Add(amount: 3))
        #expect(store.state == 6)
    }
}

extension Middlewares where State == Int {
    /// As an app writes it.
    fileprivate static func doubling(
        store: Store<Int>, yield: @escaping Dispatcher
    ) -> Dispatcher {
        { action in
            guard let add = action as? Add else { return yield(action) }
            return yield(Add(amount: add.amount * 2))
        }
    }
}
