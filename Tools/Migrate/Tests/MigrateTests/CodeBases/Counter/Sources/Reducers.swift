// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import ReSwift

struct CounterReducer: Reducer { // difficulty: older-reducer
    func handleAction(action: Action, state: AppState?) -> AppState {
        var state = state ?? AppState()
        switch action {
        case let add as Add:
            state.counter.value += add.amount
            state.counter.history.append(state.counter.value)
        case _ as Shake:
            state.counter.value = Int(arc4random_uniform(100)) // difficulty: impure-reducer
        default:
            break
        }
        return state
    }
}

final class SettingsReducer: NSObject {
    var calls = 0
}

extension SettingsReducer: Reducer { // difficulty: older-reducer
    typealias ReducerStateType = AppState

    func handleAction(action: Action, state: AppState?) -> AppState {
        var state = state ?? AppState()
        if let set = action as? SetStep {
            state.settings.step = set.step
            mainStore.dispatch(Add(amount: 0)) // difficulty: dispatch-in-reducer
        }
        return state
    }
}

// A type of the app's that handles actions; it conforms to nothing.
struct Statistics {
    func handleAction(action: Action, state: CounterState?) -> CounterState {
        return state ?? CounterState()
    }
}
