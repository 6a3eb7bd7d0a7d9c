// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import ReSwift

// Reducers as constants, which the tests put together in other ways.
let habitsReducer: Reducer<[Habit]> = { action, state in
    let habits = state ?? []
    guard let add = action as? AddHabit else { return habits }
    save(add) // difficulty: dispatch-in-reducer
    return habits
}

let clockReducer: (Action, ClockState?) -> ClockState = { action, state in
    var clock = state ?? ClockState()
    if action is Tick { clock.ticks += 1 }
    if clock.started == nil { clock.started = Date() } // difficulty: impure-reducer
    return clock
}

func save(_ add: AddHabit) {
    tracking.dispatch(Start(at: Date(timeIntervalSince1970: 0)))
}

func makeReducer() -> Reducer<ClockState> {
    return { action, state in
        Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in // difficulty: task-in-reducer
            tracking.dispatch(Tick())
        }
        return state ?? ClockState()
    }
}

// Pure, for all its words: a date that is given, a generator that is given.
func pureReducer(action: Action, state: ClockState?) -> ClockState {
    var state = state ?? ClockState()
    state.started = Date(timeIntervalSince1970: 60)
    state.ticks = max(state.ticks, [1, 2, 3].map { $0 + 1 }.reduce(0, +))
    return state
}
