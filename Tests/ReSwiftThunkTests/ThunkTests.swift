// SPDX-License-Identifier: MIT

import ReSwift
import ReSwiftThunk
import Testing

private struct Add: Action { let amount: Int }

private func count(action: any Action, state: Int?) -> Int {
    (state ?? 0) + ((action as? Add)?.amount ?? 0)
}

@Suite("Thunk")
struct ThunkTests {
    private let store = Store<Int>(
        reducer: count, state: nil, middleware: [createThunkMiddleware()])

    @Test func `A thunk reads the state and dispatches, now`() {
        store.dispatch(
            Thunk<Int> { dispatch, getState in
                dispatch(Add(amount: 2))
                dispatch(Add(amount: getState() ?? 0))
            })
        #expect(store.state == 4)
    }

    @Test func `A thunk dispatches later`() {
        var later: (() -> Void)?
        store.dispatch(Thunk<Int> { dispatch, _ in later = { dispatch(Add(amount: 2)) } })
        #expect(store.state == 0)
        later?()
        #expect(store.state == 2)
    }

    @Test func `A thunk may dispatch thunks`() {
        store.dispatch(
            Thunk<Int> { dispatch, _ in
                dispatch(Thunk<Int> { dispatch, _ in dispatch(Add(amount: 1)) })
            })
        #expect(store.state == 1)
    }

    @Test func `A thunk reaches neither the middlewares behind nor the reducer`() {
        var seen: [String] = []
        let watch: Middleware<Int> = { _, _ in
            { next in
                { action in
                    seen.append("\(type(of: action))")
                    next(action)
                }
            }
        }
        let store = Store<Int>(
            reducer: count, state: 0, middleware: [createThunkMiddleware(), watch])
        store.dispatch(Thunk<Int> { dispatch, _ in dispatch(Add(amount: 1)) })
        #expect(seen == ["Add"])
    }

    @Test func `A thunk for another state passes by`() {
        store.dispatch(Thunk<String> { dispatch, _ in dispatch(Add(amount: 1)) })
        #expect(store.state == 0)
    }

    @Test func `A test does a thunk's work without a store`() {
        let double = Thunk<Int> { dispatch, getState in dispatch(Add(amount: getState() ?? 0)) }
        var dispatched: [Int] = []
        double.body({ dispatched.append(($0 as? Add)?.amount ?? 0) }, { 7 })
        #expect(dispatched == [7])
    }

    @Test func `A function with parameters makes a thunk`() {
        func addTwice(_ amount: Int) -> Thunk<Int> {
            Thunk { dispatch, _ in
                dispatch(Add(amount: amount))
                dispatch(Add(amount: amount))
            }
        }
        store.dispatch(addTwice(3))
        #expect(store.state == 6)
    }
}
