// SPDX-License-Identifier: MIT

// A program that wants to be small: the store alone, without effects, selectors and observation.

import OnwardCore

struct Counter: Sendable { var count = 0 }
enum CounterAction: Action { case add(Int), clear }

let counter = Feature<Counter> {
    Reduce { (counter, action: CounterAction) in
        switch action {
        case .add(let amount): counter.count += amount
        case .clear: counter.count = 0
        }
    }
}
let store = Store(Counter()) { counter }
let token = store.subscribe(\.count) { _, count in print("count:", count) }
store.dispatch(CounterAction.add(3))
store.dispatch(CounterAction.clear)
