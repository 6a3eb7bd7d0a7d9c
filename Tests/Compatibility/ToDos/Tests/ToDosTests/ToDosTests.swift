// SPDX-License-Identifier: MIT

import ReduxSwift
import Testing

@testable import ToDos

@Suite(.serialized) struct ToDosTests {
    init() {
        for index in store.state.todos.indices { _ = store.dispatch(DO_TODO(index: index)) }
        _ = store.dispatch(CLEAR_DONE())
    }

    @Test func `Todos are added, done and cleared`() {
        _ = store.dispatch(ADD_TODO(text: "write"))
        _ = store.dispatch(ADD_TODO(text: "read"))
        _ = store.dispatch(DO_TODO(index: 0))
        _ = store.dispatch(CLEAR_DONE())
        #expect(store.state.todos.map(\.text) == ["read"])
    }

    @Test func `A middleware refuses`() {
        let result = store.dispatch(ADD_TODO(text: ""))
        #expect(result is ADD_TODO)
        #expect(store.state.todos.isEmpty)
    }

    @Test func `A thunk loads, and subscribers follow`() {
        var counts: [Int] = []
        var loadings: [Bool] = []
        subscriptions.subscribe(key: "count") { counts.append($0.todos.count) }
        subscriptions.subscribe(key: "loading") { state in
            if loadings.last != state.isLoading { loadings.append(state.isLoading) }
        }
        var answer: (([String]) -> Void)?
        _ = store.dispatch(load { answer = $0 })
        #expect(store.state.isLoading)
        answer?(["a", "b"])
        #expect(counts == [0, 0, 1, 2, 2])
        #expect(loadings == [false, true, false])
        subscriptions.unsubscribe(key: "count")
        subscriptions.unsubscribe(key: "loading")
    }

    @Test func `The logger can be listed like any middleware`() {
        let logger = Middlewares<AppState>.logger
        let logged = Store<AppState>.init(reducer: reducer, state: nil, middlewares: [logger])
        _ = logged.dispatch(ADD_TODO(text: "look"))
        #expect(logged.state.todos.count == 1)
    }

    @Test func `A store of the app's own is reset, and its subscribers see it`() {
        var count = 0
        let subscriptions = Subscriptions<AppState, Int>()
        let store = ResettableStore(
            reducer: reducer, state: nil,
            middlewares: [subscriptions.middleware, Middlewares<AppState>.counting { count += 1 }])
        var counts: [Int] = []
        subscriptions.subscribe(key: 1) { state in counts.append(state.todos.count) }
        _ = store.dispatch(ADD_TODO(text: "write"))
        store.reset()
        #expect(counts == [0, 1, 0])
        #expect(count == 1)
    }
}
