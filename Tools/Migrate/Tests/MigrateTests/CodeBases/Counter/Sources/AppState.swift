// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift

struct AppState: StateType {
    var counter = CounterState()
    var settings = SettingsState()
}

struct CounterState: StateType {
    var value = 0
    var history: [Int] = []
}

struct SettingsState: StateType {
    var step = 1
}

extension StateType {
    var isDefault: Bool { return false }
}

// Has the name in it, but is a protocol of the app's own.
protocol AppStateType {}
extension AppStateType {
    func describe() -> String { return "extension StateType {}" }
}
