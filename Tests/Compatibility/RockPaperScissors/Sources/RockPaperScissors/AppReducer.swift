// SPDX-License-Identifier: MIT

import ReSwift

func appReducer(action: Action, state: AppState?) -> AppState {
    var state = state ?? AppState()
    switch action {
    case let action as ChooseWeaponAction:
        switch state.turn {
        case .first:
            state.first.weapon = action.weapon
            state.turn = .second
            state.message = "\(state.second.name): choose your weapon"
        case .second:
            state.second.weapon = action.weapon
            state.turn = .over
            state = score(state)
        case .over:
            break
        }
    case is NextRoundAction:
        state.first.weapon = nil
        state.second.weapon = nil
        state.turn = .first
        state.message = "\(state.first.name): choose your weapon"
    case is ResetAction:
        state = AppState()
    default:
        break
    }
    return state
}

private func score(_ state: AppState) -> AppState {
    guard let first = state.first.weapon, let second = state.second.weapon else { return state }
    var state = state
    if first.beats(second) {
        state.first.wins += 1
        state.message = "\(state.first.name) wins!"
    } else if second.beats(first) {
        state.second.wins += 1
        state.message = "\(state.second.name) wins!"
    } else {
        state.message = "It's a draw!"
    }
    return state
}
