// SPDX-License-Identifier: MIT

import protocol ReSwift.StateType

enum Weapon: String {
    case rock, paper, scissors

    func beats(_ other: Weapon) -> Bool {
        switch (self, other) {
        case (.rock, .scissors), (.paper, .rock), (.scissors, .paper): return true
        default: return false
        }
    }
}

enum Turn {
    case first, second, over
}

struct PlayerState {
    var name: String
    var weapon: Weapon?
    var wins = 0
}

extension StateType {
    var summary: String { String(describing: Self.self) }
}

struct AppState: StateType {
    var first = PlayerState(name: "Player 1")
    var second = PlayerState(name: "Player 2")
    var turn = Turn.first
    var message = "Player 1: choose your weapon"
}
