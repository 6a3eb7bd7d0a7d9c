// SPDX-License-Identifier: MIT

import Dispatch
import Onward
import Synchronization

extension Workload {
    /// R0: an action whose `OnAction` answers that there is nothing to do; the limit calls a closure.
    static func noEffect(_ name: String, from caller: Caller = .nowhere) -> Workload {
        Workload(
            name, "counter + an OnAction that answers nothing" + caller.suffix,
            budget: "≤ 1,200 instr.",
            limit: {
                let limit = Limit(CounterState())
                let react: (Int) -> Bool = { $0 < 0 }
                return { [react] count in
                    for _ in 0..<count {
                        let new = limit.withState { state in
                            reduceCounter(&state.count, .increment)
                            return state.count
                        }
                        if react(new) { break }
                    }
                }
            }
        ) {
            let store = makeCounter { OnAction { (_: CounterAction, _) -> Effect in .none } }
            return { count in
                caller.dispatch(to: store, times: count) { _ in CounterAction.increment }
            }
        }
    }

    /// E1: an effect that is started and ends; the limit is a detached task.
    static func effect(_ name: String, from caller: Caller = .nowhere) -> Workload {
        Workload(
            name, "an effect that is started and ends" + caller.suffix, budget: "≤ 2 × limit",
            period: 1_000,
            limit: {
                let finish = Finish()
                return { count in
                    finish.rounds(of: count) { round in
                        for _ in 0..<round { Task.detached { finish.one() } }
                    }
                }
            }
        ) {
            let finish = Finish()
            let store = makeCounter {
                OnAction { (_: CounterAction, _) -> Effect in .run { finish.one() } }
            }
            return finish.rounds(of: store, from: caller)
        }
    }

    /// E2: an effect that dispatches an action; the limit reduces twice.
    static func dispatchedAnswer(_ name: String, from caller: Caller = .nowhere) -> Workload {
        Workload(
            name, "an effect that dispatches an action" + caller.suffix, budget: "≤ 500 ns",
            period: 1_000,
            limit: {
                let limit = Limit(CounterState())
                return { count in
                    for _ in 0..<2 * count {
                        limit.withState { reduceCounter(&$0.count, .increment) }
                    }
                }
            }
        ) {
            let finish = Finish()
            let store = makeCounter {
                OnAction { (action: CounterAction, _) -> Effect in
                    if case .increment = action { return .dispatch(CounterAction.add(1)) }
                    finish.one()
                    return .none
                }
            }
            return finish.rounds(of: store, from: caller)
        }
    }

    static let effects = [
        noEffect("R0"), noEffect("R0-main", from: .mainActor),
        effect("E1"), effect("E1-main", from: .mainActor),
        dispatchedAnswer("E2"), dispatchedAnswer("E2-main", from: .mainActor),
    ]
}

/// Waits until what was started has ended, a thousand at a time.
private final class Finish: Sendable {
    private let left = Atomic<Int>(0)
    private let isOver = DispatchSemaphore(value: 0)

    /// Says that one has ended.
    func one() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { isOver.signal() }
    }

    /// Dispatches in rounds of a thousand, and waits for what each round starts.
    func rounds(of store: Store<CounterState>, from caller: Caller) -> (Int) -> Void {
        { count in
            self.rounds(of: count) { round in
                caller.dispatch(to: store, times: round) { _ in CounterAction.increment }
            }
        }
    }

    /// Starts rounds of a thousand, and waits for the end of each.
    func rounds(of count: Int, _ start: (Int) -> Void) {
        var rest = count
        while rest > 0 {
            let round = min(rest, 1_000)
            left.store(round, ordering: .releasing)
            start(round)
            isOver.wait()
            rest -= round
        }
    }
}
