// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import ReSwift

typealias Tracking = Store<TrackerState>

struct TrackerState: StateType {
    var habits: [Habit] = []
    var clock = ClockState()
}
struct Habit: Equatable { var id: String; var done: Bool }
struct ClockState: StateType { var ticks = 0; var started: Date? }

class AddHabit: Action { // difficulty: shared-action
    var name: String
    init(name: String) { self.name = name }
}
struct Tick: Action {}
struct Start: Action { let at: Date }

let analytics: Middleware<TrackerState> = { _, getState in
    return { next in
        return { action in
            next(action)
            Analytics.shared.dispatch(event: "\(action)", state: getState())
        }
    }
}

final class Analytics {
    static let shared = Analytics()
    private let queue = DispatchQueue(label: "analytics")
    func dispatch(event: String, state: Any?) {
        queue.async { print(event) }
    }
}

let tracking = Tracking(
    reducer: { action, state in
        var state = state ?? TrackerState()
        switch action {
        case let add as AddHabit:
            state.habits.append(Habit(id: UUID().uuidString, done: false)) // difficulty: impure-reducer
            _ = add
        case is Tick:
            state.clock.ticks += 1
        case let start as Start:
            state.clock.started = start.at
        default:
            break
        }
        return state
    },
    state: nil,
    middleware: [analytics])
