// SPDX-License-Identifier: MIT

import Onward
import OnwardBridge
import ReduxSwift
import Testing

struct Add: ActionType { let amount: Int }
struct Other: ActionType {}

func count(action: any ActionType, state: Int?) -> Int {
    (state ?? 0) + ((action as? Add)?.amount ?? 0)
}

func makeCounter(_ middlewares: [ReduxSwift.Store<Int>.MiddleWare] = []) -> ReduxSwift.Store<Int> {
    ReduxSwift.Store(reducer: count, state: nil, middlewares: middlewares)
}

@Suite("Store")
struct StoreTests {
    @Test func `Any type may be a state, and the reducer makes the first one`() {
        #expect(makeCounter().state == 0)
        #expect(ReduxSwift.Store(reducer: count, state: 5, middlewares: []).state == 5)
        let words = ReduxSwift.Store<[String]>(
            reducer: { _, state in (state ?? []) + ["x"] }, state: nil, middlewares: [])
        #expect(words.state == ["x"])
    }

    @Test func `Dispatch changes the state and returns the action`() {
        let store = makeCounter()
        let result = store.dispatch(Add(amount: 3))
        #expect((result as? Add)?.amount == 3)
        #expect(store.state == 3)
        _ = store.dispatch(Other())
        #expect(store.state == 3)
    }

    @Test func `Dispatch may be set, around what it was`() {
        let store = makeCounter()
        let before: Dispatcher = store.dispatch
        store.dispatch = { action in before(before(action)) }
        _ = store.dispatch(Add(amount: 2))
        #expect(store.state == 4)
    }

    @Test
    func `The last middleware in the list is the outermost, and what it returns is the result`() {
        var lines: [String] = []
        func named(_ name: String) -> ReduxSwift.Store<Int>.MiddleWare {
            { store, yield in
                { [unowned store] action in
                    lines.append("\(name) in \(store.state)")
                    _ = yield(action)
                    lines.append("\(name) out \(store.state)")
                    return Other()
                }
            }
        }
        let store = makeCounter([named("1"), named("2")])
        let result = store.dispatch(Add(amount: 1))
        #expect(lines == ["2 in 0", "1 in 0", "1 out 1", "2 out 1"])
        #expect(result is Other)
    }

    @Test func `A middleware can keep an action`() {
        let store = makeCounter([{ _, _ in { $0 } }])
        _ = store.dispatch(Add(amount: 1))
        #expect(store.state == 0)
    }

    @Test func `Dispatching inside the reducer is reported with the action's name, and refused`() {
        final class Knot { var store: ReduxSwift.Store<Int>? }
        let knot = Knot()
        let mistakes = Guarded<[ProgrammerError]>([])
        let handler: @Sendable (ProgrammerError) -> Void = { mistake in
            mistakes.withValue { $0.append(mistake) }
        }
        var line = 0
        knot.store = ReduxSwift.Store(
            reducer: { action, state in
                if action is Other {
                    line = #line + 1
                    _ = knot.store?.dispatch(Add(amount: 1))
                }
                return count(action: action, state: knot.store?.state ?? state)
            }, state: 1, middlewares: [], options: StoreOptions(onProgrammerError: handler))
        _ = knot.store?.dispatch(Other())
        #expect(knot.store?.state == 1)
        let texts = mistakes.withValue { $0.map(\.description) }
        #expect(texts.count == 1)
        #expect(texts.first?.hasPrefix("Add was dispatched from inside a reducer, at ") == true)
        #if os(Linux)
        #expect(texts.first?.contains(" at ReduxSwiftTests/StoreTests.swift:\(line). ") == true)
        #endif
    }

    @Test func `An observer lists every action by name and fields`() {
        final class Lister: CommitObserver {
            typealias State = OnwardState<Int>
            let lines = Guarded<[String]>([])
            func observe(_ commit: Commit<State>) {
                lines.withValue {
                    $0.append("\(commit.entry.action.wireName): \(commit.entry.action)")
                }
            }
        }
        let store = makeCounter()
        let lister = Lister()
        let token = store.onward.log.attach(lister)
        _ = store.dispatch(Add(amount: 3))
        _ = store.dispatch(Other())
        #expect(lister.lines.withValue { $0 } == ["Add: Add(amount: 3)", "Other: Other()"])
        token.cancel()
    }

    @Test func `A store with the middlewares of this library goes when nothing holds it`() {
        weak var gone: ReduxSwift.Store<Int>?
        let subscriptions = Subscriptions<Int, Int>()
        do {
            let store = makeCounter([
                Middlewares<Int>.thunk, Middlewares<Int>.logging { _ in }, subscriptions.middleware,
            ])
            subscriptions.subscribe(key: 1) { _ in }
            _ = store.dispatch(Add(amount: 1))
            gone = store
        }
        #expect(gone == nil)
    }

    @Test func `The state may be assigned, which is notified and stands in the log`() {
        final class Lister: CommitObserver {
            typealias State = OnwardState<Int>
            let lines = Guarded<[String]>([])
            func observe(_ commit: Commit<State>) {
                let action = commit.entry.action
                let state = (action as? OnwardAssignment<Int>)?.state
                lines.withValue { $0.append("\(action.wireName) \(state ?? -1)") }
            }
        }
        let subscriptions = Subscriptions<Int, Int>()
        let store = makeCounter([subscriptions.middleware])
        let lister = Lister()
        let token = store.onward.log.attach(lister)
        var states: [Int] = []
        subscriptions.subscribe(key: 1) { states.append($0) }
        store.state = 7
        store.state += 1
        _ = store.dispatch(Add(amount: 2))
        #expect(store.state == 10)
        #expect(states == [0, 7, 8, 10])
        #expect(lister.lines.withValue { $0 } == ["Assignment 7", "Assignment 8", "Add -1"])
        token.cancel()
    }

    @Test func `Assigning the state inside the reducer is reported, and refused`() {
        final class Knot { var store: ReduxSwift.Store<Int>? }
        let knot = Knot()
        let mistakes = Guarded<[ProgrammerError]>([])
        let handler: @Sendable (ProgrammerError) -> Void = { mistake in
            mistakes.withValue { $0.append(mistake) }
        }
        knot.store = ReduxSwift.Store(
            reducer: { action, state in
                if action is Other { knot.store?.state = 5 }
                return count(action: action, state: state)
            }, state: 1, middlewares: [], options: StoreOptions(onProgrammerError: handler))
        _ = knot.store?.dispatch(Other())
        #expect(knot.store?.state == 1)
        #expect(mistakes.withValue { $0.map(\.kind) } == [.dispatchInsideReducer])
    }

    @Test func `A middleware is set up when the store is made, and may use the store then`() {
        var seen: Int?
        let store = ReduxSwift.Store<Int>(
            reducer: count, state: 4,
            middlewares: [
                { store, yield in
                    _ = store.dispatch(Add(amount: 1))
                    seen = store.state
                    return yield
                }
            ])
        #expect(seen == 5)
        #expect(store.state == 5)
    }

    @Test func `A subclass may override what the store does`() {
        final class Counting: ReduxSwift.Store<Int>, @unchecked Sendable {
            var assignments = 0
            var dispatches = 0
            override init(
                reducer: @escaping Reducer, state: Int?, middlewares: [MiddleWare]
            ) {
                super.init(reducer: reducer, state: state, middlewares: middlewares)
            }
            override var state: Int {
                get { super.state }
                set {
                    assignments += 1
                    super.state = newValue
                }
            }
            override var dispatch: ((any ActionType) -> any ActionType)! {
                get {
                    dispatches += 1
                    return super.dispatch
                }
                set { super.dispatch = newValue }
            }
        }
        let store = Counting(reducer: count, state: nil, middlewares: [])
        _ = store.dispatch(Add(amount: 2))
        store.state = 5
        #expect(store.state == 5)
        #expect(store.assignments == 1)
        #expect(store.dispatches == 1)
    }

    @Test func `A chain of subscribers longer than a thousand that ends is delivered to its end`() {
        let subscriptions = Subscriptions<Int, Int>()
        let store = makeCounter([subscriptions.middleware])
        var last = 0
        subscriptions.subscribe(key: 1) { [weak store] count in
            last = count
            if count > 0, count < 20_000 { _ = store?.dispatch(Add(amount: 1)) }
        }
        _ = store.dispatch(Add(amount: 1))
        #expect(last == 20_000)
    }
}
