// SPDX-License-Identifier: MIT

import Onward
import Synchronization

struct CounterState: Sendable {
    var count = 0
    var other = 0
}

enum CounterAction: Action {
    case increment
    case add(Int)
}

@inline(never)
func reduceCounter(_ count: inout Int, _ action: CounterAction) {
    switch action {
    case .increment: count &+= 1
    case .add(let amount): count &+= amount
    }
}

func makeCounter(
    @FeatureBuilder<CounterState> _ more: () -> [any Part<CounterState>] = { [] }
) -> Store<CounterState> {
    let parts = more()
    return Store(CounterState()) {
        for part in parts { AnyPart(part) }
        Scope(
            \.count,
            Feature<Int> {
                Reduce { (count: inout Int, action: CounterAction) in
                    reduceCounter(&count, action)
                }
            })
    }
}

/// A part whose type was forgotten.
struct AnyPart<State: Sendable>: Part {
    let part: any Part<State>
    init(_ part: any Part<State>) { self.part = part }
    func register(in registration: inout Registration<State>) {
        part.register(in: &registration)
    }
}

extension Workload {
    static let counter = Workload(
        "W1", "counter, no subscriber", budget: "≤ 3 × limit",
        limit: {
            let limit = Limit(CounterState())
            return { count in
                for _ in 0..<count { limit.withState { reduceCounter(&$0.count, .increment) } }
            }
        }
    ) {
        let store = makeCounter()
        return { count in for _ in 0..<count { store.dispatch(CounterAction.increment) } }
    }

    static let counterFromMain = Workload(
        "W1-main", "counter, no subscriber, from the main actor", budget: "≤ 250 instr."
    ) {
        let store = makeCounter()
        return { count in
            Caller.mainActor.dispatch(to: store, times: count) { _ in CounterAction.increment }
        }
    }

    static let otherSubscribers = Workload(
        "W2", "counter + 1,000 subscribers of another field", budget: "≤ 2 × W1"
    ) {
        let store = makeCounter()
        let tokens = (0..<1_000).map { _ in store.subscribe(\.other) { _, _ in } }
        return { count in
            for _ in 0..<count { store.dispatch(CounterAction.increment) }
            withExtendedLifetime(tokens) {}
        }
    }

    static let tenMiddlewares = Workload(
        "W7", "10 pass-through middlewares", budget: "≤ 3 × limit",
        limit: {
            let limit = Limit(CounterState())
            typealias Next = (CounterAction) -> Void
            var chain: Next = { action in limit.withState { reduceCounter(&$0.count, action) } }
            for _ in 0..<10 {
                let next = chain
                chain = { action in next(action) }
            }
            return { [chain] count in for _ in 0..<count { chain(.increment) } }
        }
    ) {
        let store = makeCounter { for _ in 0..<10 { PassThrough() } }
        return { count in for _ in 0..<count { store.dispatch(CounterAction.increment) } }
    }
}

struct PassThrough: Middleware {
    typealias State = CounterState
    func handle<A: Action>(
        _ action: A, in context: borrowing MiddlewareContext<CounterState>
    ) -> DispatchResult {
        context.next(action)
    }
}

extension Workload {
    /// W1 on a store that several threads share.
    public static func counterForThreads() -> @Sendable (Int) -> Void {
        let store = makeCounter()
        return { count in for _ in 0..<count { store.dispatch(CounterAction.increment) } }
    }

    /// W1T on a store that several threads share; the second closure says how many commits its subscriber
    /// has not been notified of.
    public static func notifiedCounterForThreads() -> (
        run: @Sendable (Int) -> Void, unnotified: @Sendable () -> Int
    ) {
        let store = makeCounter()
        let newest = Newest()
        let token = store.subscribe(\.count) { _, new in newest.count.store(new, ordering: .relaxed)
        }
        return (
            { count in for _ in 0..<count { store.dispatch(CounterAction.increment) } },
            { [token] in
                withExtendedLifetime(token) {
                    store.state.count - newest.count.load(ordering: .relaxed)
                }
            }
        )
    }
}

/// What a subscriber was delivered last.
private final class Newest: Sendable {
    let count = Atomic<Int>(0)
}
