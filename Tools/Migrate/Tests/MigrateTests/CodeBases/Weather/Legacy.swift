// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift

/* The reducers of the first version:
   struct WeatherReducer: Reducer { func handleAction(action: Action, state: S?) -> S }
   extension StateType {}
 */
struct Reset: StandardActionConvertible { // difficulty: standard-action
    init() {}
    init(_ action: StandardAction) {} // difficulty: standard-action
    func toStandardAction() -> StandardAction { fatalError("\"StandardAction\" is not written") } // difficulty: standard-action
}

func restoreWeather(_ state: WeatherState) {
    WeatherCore.shared.store.state = state // difficulty: state-assignment
}

struct Clipboard {
    var state = ""
    mutating func clear() { self.state = "" }
}
