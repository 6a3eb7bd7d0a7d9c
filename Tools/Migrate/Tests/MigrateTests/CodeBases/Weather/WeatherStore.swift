// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import ReSwift

public struct WeatherState: StateType, Equatable {
    public var city = "Ulm"
    public var degrees: Double?
    public var asked = 0
}

struct Ask: Action { let city: String }
struct Answer: Action { let degrees: Double }

final class Forecast: Action { // difficulty: shared-action
    var days: [Double] = []
}

public final class WeatherCore {
    public static let shared = WeatherCore()
    public private(set) var store: Store<WeatherState>!
    private let serial = DispatchQueue(label: "weather")

    private init() {
        store = Store<WeatherState>(
            reducer: WeatherCore.reduce, state: nil,
            middleware: [loading])
    }

    static func reduce(action: Action, state: WeatherState?) -> WeatherState {
        var state = state ?? WeatherState()
        switch action {
        case let ask as Ask:
            state.city = ask.city
            state.asked = Int(Date().timeIntervalSince1970) // difficulty: impure-reducer
            DispatchQueue.global().async { // difficulty: task-in-reducer
                WeatherCore.shared.answer(7)
            }
        case let answer as Answer:
            state.degrees = answer.degrees
        default: ()
        }
        return state
    }

    func answer(_ degrees: Double) {
        serial.async { [weak self] in
            self?.store.dispatch(Answer(degrees: degrees)) // difficulty: locked-dispatch
        }
    }
}

let loading: Middleware<WeatherState> = { dispatch, getState in
    return { next in
        return { action in
            next(action)
            guard action is Ask else { return }
            URLSession.shared.dataTask(with: URLRequest(url: URL(fileURLWithPath: "/"))) { data, _, error in
                if error == nil {
                    dispatch(Answer(degrees: Double(data?.count ?? 0))) // difficulty: background-dispatch
                }
            }.resume()
        }
    }
}
