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
        "W1-main", "counter, no subscriber, from the main actor", budget: "≤ 270 instr."
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

    /// The commit log of a store, read by an observer that does nothing with it.
    static let observedCommits = Workload(
        "L1", "counter, its commits read by an observer", budget: "≤ 120 ns"
    ) {
        let store = makeCounter()
        let token = store.log.attach(IdleObserver())
        return { count in
            for _ in 0..<count { store.dispatch(CounterAction.increment) }
            withExtendedLifetime(token) {}
        }
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
    /// W1 on a store that several threads share, and on the limit.
    public static func counterForThreads() -> ContendedRun {
        let store = makeCounter()
        let limit = Limit(CounterState())
        return ContendedRun(
            run: { count in for _ in 0..<count { store.dispatch(CounterAction.increment) } },
            limit: { count in
                for _ in 0..<count { limit.withState { reduceCounter(&$0.count, .increment) } }
            },
            unnotified: { 0 }, calls: { 0 })
    }

    /// W1T on a store that several threads share, and on the limit, which calls a closure in no order.
    public static func notifiedCounterForThreads() -> ContendedRun {
        let store = makeCounter()
        let newest = Newest()
        let token = store.subscribe(\.count) { _, new in newest.note(new) }
        let limit = Limit(CounterState())
        let other = Newest()
        return ContendedRun(
            run: { count in for _ in 0..<count { store.dispatch(CounterAction.increment) } },
            limit: { count in
                for _ in 0..<count {
                    other.note(
                        limit.withState { state in
                            reduceCounter(&state.count, .increment)
                            return state.count
                        })
                }
            },
            unnotified: { [token] in
                withExtendedLifetime(token) {
                    store.state.count - newest.count.load(ordering: .relaxed)
                }
            }, calls: { newest.calls.load(ordering: .relaxed) })
    }
}

/// A workload that several threads share.
public struct ContendedRun: Sendable {
    /// Dispatches a number of times.
    public let run: @Sendable (Int) -> Void
    /// The same to the limit.
    public let limit: @Sendable (Int) -> Void
    /// How many commits the subscriber has not been notified of.
    public let unnotified: @Sendable () -> Int
    /// How often the subscriber was called: commits that were joined make one call.
    public let calls: @Sendable () -> Int
}

/// What a subscriber was given last.
private final class Newest: Sendable {
    let count = Atomic<Int>(0)
    let calls = Atomic<Int>(0)

    func note(_ new: Int) {
        count.store(new, ordering: .relaxed)
        calls.add(1, ordering: .relaxed)
    }
}

/// Takes note of nothing.
private struct IdleObserver: CommitObserver {
    typealias State = CounterState

    func observe(_ commit: Commit<CounterState>) {}
}
