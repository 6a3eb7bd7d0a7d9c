// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift
import ReSwiftRecorder // difficulty: other-library

struct PlayerState { var track: Track?; var volume = 0.5; var queue: [Track] = [] }
struct Track: Equatable { let title: String }

enum PlayerAction: Action { case play(Track), stop, volume(Double) }

class PlayerStore: Store<PlayerState> { // difficulty: subclass
    var plays = 0

    override func dispatch(_ action: Action) {
        plays += 1
        super.dispatch(action)
    }
}

final class SafeStore: Store<PlayerState>, @unchecked Sendable {}

struct PlayerReducer {
    var generator = SystemRandomNumberGenerator()

    func reduce(action: PlayerAction, state: PlayerState) -> PlayerState {
        var state = state
        switch action {
        case .play(let track):
            state.track = track
            state.queue.shuffle() // difficulty: impure-reducer
        case .stop:
            state.track = nil
        case .volume(let volume):
            state.volume = volume
            player.dispatch(PlayerAction.stop) // difficulty: dispatch-in-reducer
        }
        return state
    }
}

let player = PlayerStore(reducer: { action, state in
    guard let action = action as? PlayerAction else { return state ?? PlayerState() }
    return PlayerReducer().reduce(action: action, state: state ?? PlayerState())
}, state: nil)
