// SPDX-License-Identifier: MIT

import ReSwift

struct Counter: Equatable { var count = 0 }
enum CounterAction: Action { case increment, decrement }

func counter(action: Action, state: Counter?) -> Counter {
    var state = state ?? Counter()
    switch action as? CounterAction {
    case .increment: state.count += 1
    case .decrement: state.count -= 1
    case nil: break
    }
    return state
}
