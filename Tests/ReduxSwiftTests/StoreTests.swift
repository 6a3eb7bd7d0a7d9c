// SPDX-License-Identifier: MIT

import Onward
import ReduxSwift
import Synchronization
import Testing

struct Add: ActionType { let amount: Int }
struct Other: ActionType {}

func count(action: any ActionType, state: Int?) -> Int {
    (state ?? 0) + ((action as? Add)?.amount ?? 0)
}

func makeCounter(_ middlewares: [ReduxSwift.Middleware<Int>] = []) -> ReduxSwift.Store<Int> {
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
        let before = store.dispatch
        store.dispatch = { action in before(before(action)) }
        _ = store.dispatch(Add(amount: 2))
        #expect(store.state == 4)
    }

    @Test
    func `The last middleware in the list is the outermost, and what it returns is the result`() {
        var lines: [String] = []
        func named(_ name: String) -> ReduxSwift.Middleware<Int> {
            { store in
                { next in
                    { [unowned store] action in
                        lines.append("\(name) in \(store.state)")
                        _ = next(action)
                        lines.append("\(name) out \(store.state)")
                        return Other()
                    }
                }
            }
        }
        let store = makeCounter([named("1"), named("2")])
        let result = store.dispatch(Add(amount: 1))
        #expect(lines == ["2 in 0", "1 in 0", "1 out 1", "2 out 1"])
        #expect(result is Other)
    }

    @Test func `A middleware can keep an action`() {
        let store = makeCounter([{ _ in { _ in { $0 } } }])
        _ = store.dispatch(Add(amount: 1))
        #expect(store.state == 0)
    }

    @Test func `Dispatching inside the reducer is reported with the action's name, and refused`() {
        final class Knot { var store: ReduxSwift.Store<Int>? }
        let knot = Knot()
        let misuses = Mutex<[Misuse]>([])
        let handler = MisuseHandler { misuse in misuses.withLock { $0.append(misuse) } }
        knot.store = ReduxSwift.Store(
            reducer: { action, state in
                if action is Other { _ = knot.store?.dispatch(Add(amount: 1)) }
                return count(action: action, state: knot.store?.state ?? state)
            }, state: 1, middlewares: [], options: StoreOptions(misuse: handler))
        _ = knot.store?.dispatch(Other())
        #expect(knot.store?.state == 1)
        let texts = misuses.withLock { $0.map(\.description) }
        #expect(texts.count == 1)
        #expect(texts.first?.hasPrefix("Add was dispatched from inside a reducer") == true)
    }

    @Test func `An observer lists every action by name and fields`() {
        final class Lister: CommitObserver {
            typealias State = OnwardState<Int>
            let lines = Mutex<[String]>([])
            func observe(_ commit: Commit<State>) {
                lines.withLock {
                    $0.append("\(commit.entry.action.wireName): \(commit.entry.action)")
                }
            }
        }
        let store = makeCounter()
        let lister = Lister()
        let token = store.onward.attach(lister)
        _ = store.dispatch(Add(amount: 3))
        _ = store.dispatch(Other())
        #expect(lister.lines.withLock { $0 } == ["Add: Add(amount: 3)", "Other: Other()"])
        token.cancel()
    }

    @Test func `A store with the middlewares of this library goes when nobody holds it`() {
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
}
